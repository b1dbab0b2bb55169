"""Writes one line for each tool call: when, for whom, which tool, how it went. A command for post_tool_call."""

import json
import sys
from datetime import UTC, datetime

event = json.load(sys.stdin)
extra = event["extra"]
line = {
    "at": datetime.now(UTC).isoformat(timespec="seconds"),
    "tenant": extra["tenant"],
    "run_id": extra["run_id"],
    "tool": event["tool_name"],
    "status": extra["status"],
    "duration_ms": extra["duration_ms"],
}
with open("audit.jsonl", "a", encoding="utf-8") as log:
    log.write(json.dumps(line) + "\n")
