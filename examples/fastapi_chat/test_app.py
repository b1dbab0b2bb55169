"""Tests of the chat backend, without key, network or server: `python examples/fastapi_chat/test_app.py`, or pytest."""

import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from cleveractors.testing import ScriptedChatModel, call

QUESTION = {"session": "s1", "message": "Where is order 7?"}


class ChatTest(unittest.TestCase):
    """What a client sees, and what stands in the database then, with the model's part written down."""

    @classmethod
    def setUpClass(cls) -> None:
        # The application reads these when it is imported.
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        os.environ |= {"CHAT_DATABASE": str(Path(folder, "chat.db")), "CHAT_WAREHOUSE_SECONDS": "0"}
        import app

        cls.app = app
        cls.client = cls.enterClassContext(TestClient(app.app))

    def post(self, path: str, tenant: str, turns: list[Any]) -> Any:
        model = ScriptedChatModel(turns)
        with self.app.executor.override(model=model):
            response = self.client.post(path, json=QUESTION, headers={"x-tenant": tenant})
        model.assert_complete()
        return response

    def test_an_answer_and_its_bill(self) -> None:
        turns = [call("find_order", number="7"), "It was sent this morning."]
        answer = self.post("/ask", "acme", turns).json()
        [bill] = self.client.get("/bills", headers={"x-tenant": "acme"}).json()
        self.assertEqual(answer["answer"], "It was sent this morning.")
        self.assertEqual(bill["prompt_tokens"] + bill["completion_tokens"], answer["tokens"])
        self.assertEqual(self.app.purse("acme").spent, answer["tokens"])

    def test_a_stream(self) -> None:
        turns = [call("find_order", number="7"), "It was sent this morning."]
        lines = self.post("/chat", "globex", turns).text.splitlines()
        names = dict.fromkeys(line.removeprefix("event: ") for line in lines if line.startswith("event: "))
        self.assertEqual([*names], ["start", "tool_start", "custom", "tool_end", "text", "done"])

    def test_an_empty_purse(self) -> None:
        self.app.purse("initech").charge(100_000)
        answer = self.post("/ask", "initech", []).json()
        self.assertEqual((answer["stop_reason"], answer["tokens"]), ("token_budget", 0))


if __name__ == "__main__":
    unittest.main()
