Feature: Histories that hosts hand over
  A host keeps conversations in its own database, as LangChain messages or as OpenAI chat dicts, cut at any place. What
  can be made good is made good and reported; what is no message is refused, and named.

  Rule: Every call has its own id and its one result

    Scenario Outline: <what>
      Given a history of <written>
      When the history is read
      Then it becomes <paired>
      And its repairs are <repairs>

      Examples:
        | what                                         | written             | paired               | repairs                                    |
        | nothing to repair                            | u a:1,2 t:1 t:2 a u | u a:1,2 t:1 t:2 a u  | none                                       |
        | nothing at all                               | none                | none                 | none                                       |
        | a missing result                             | u a:1,2 t:1 u       | u a:1,2 t:1 t:2! u   | had no result                              |
        | a missing result at the end                  | u a:1               | u a:1 t:1!           | had no result                              |
        | a stray result                               | u t:9 a u           | u a u                | which nobody asked for                     |
        | a second result of one call                  | u a:1 t:1 t:1 a     | u a:1 t:1 a          | which nobody asked for                     |
        | a result before its call                     | u t:1 a:1 u         | u a:1 t:1! u         | which nobody asked for; had no result      |
        | results in another order                     | u a:1,2 t:2 t:1 a   | u a:1,2 t:1 t:2 a    | none                                       |
        | a result behind a question                   | u a:1 u t:1 a       | u a:1 t:1 u a        | was put behind its call                    |
        | two calls with one id                        | u a:1,1 t:1 t:1 a   | u a:1,x t:1 t:x a    | has another's id                           |
        | two messages with one id                     | u a:1 t:1 a:1 t:1 a | u a:1 t:1 a:x t:x a  | has another's id                           |
        | one id, the first without result             | u a:1 u a:1 t:1     | u a:1 t:1! u a:x t:x | has another's id; had no result            |
        | calls without ids                            | u a:-,- t:- t:- a   | u a:x,y t:x t:y a    | had no id; had no id                       |
        | a call without id or result                  | u a:- u             | u a:x t:x! u         | had no id; had no result                   |
        | system messages                              | s u s a             | u a                  | a system message; a system message         |
        | an answer without words                      | u e u               | u u                  | without words                              |
        | a call that can't be read                    | u b t:7 a           | u a                  | can't be read; without words; nobody asked |
        | a call that can't be read, beside a good one | u a:1+b t:1 t:7 a   | u a:1 t:1 a          | can't be read; nobody asked                |

    Scenario: Messages and dicts may be mixed
      Given a history of u a:1 t:1 a u
      Then it is read alike as messages, as dicts, as chunks, and in any mixture

    Scenario: Whatever is handed over, a strict provider takes it
      Then any of 300 generated histories is valid after it was read, and reading it again changes nothing

    Scenario: The repairs of a run stand in its result
      Given the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When the actor is asked with the history u a:1 u
      Then the bill's repairs tell of "had no result"
      And the history is valid
      And the last request holds the roles "user assistant tool user user"

    Scenario Outline: <entry> is no message
      When a run is asked for with history = [<entry>]
      Then the run fails with ConfigurationError "history[0]"

      Examples:
        | entry                                                    |
        | 5                                                        |
        | "hello"                                                  |
        | {}                                                       |
        | {"role": "narrator", "content": "x"}                     |
        | {"role": "tool", "content": "x"}                         |
        | {"role": "assistant", "tool_calls": [{"id": "1"}]}       |
        | {"role": "assistant", "tool_calls": 5}                   |
        | {"role": "user", "content": 5}                           |
        | ChatMessage(role="narrator", content="x")                |
        | RemoveMessage(id="1")                                    |

    Scenario: A message that names its role is read by it
      Given the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When a run is asked for with history = [ChatMessage(role="user", content="Hi"), ChatMessage(role="assistant", content="Hello")]
      Then the last request holds the roles "user assistant user"

    Scenario Outline: A call whose arguments are <arguments> stays one that can't be read
      Given the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When a run is asked for with history = [{"role": "assistant", "content": "Hm.", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "look", "arguments": "<arguments>"}}]}]
      Then the bill's repairs tell of "can't be read"
      And the last request holds the roles "assistant user"

      Examples:
        | arguments |
        | {not json |
        | [1]       |

  Rule: A message may have parts

    Scenario: Text, an image and a file
      Given the actor's provider will answer
        | text | prompt | completion |
        | Yes. | 10     | 2          |
      When the actor is asked with the parts
        """
        ["Look: ",
         {"type": "text", "text": "what is it?"},
         {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
        """
      Then the last request's message has the parts
        """
        [{"type": "text", "text": "Look: "},
         {"type": "text", "text": "what is it?"},
         {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]
        """

  Rule: Written and read again, they are the same

    Scenario: dump_messages and load_messages are inverses
      Then 300 generated conversations are the same after dump_messages, JSON and load_messages

    Scenario: What is written is OpenAI's format
      Given a history of u a:1 t:1! a
      Then it is written as
        """
        [{"role": "user", "content": "question 0"},
         {"role": "assistant", "content": "", "tool_calls":
           [{"id": "1", "type": "function", "function": {"name": "look", "arguments": "{\"n\": 1}"}}]},
         {"role": "tool", "content": "failed", "tool_call_id": "1", "status": "error"},
         {"role": "assistant", "content": "answer 3"}]
        """

  Rule: Results travel

    Scenario Outline: A result through JSON: <kind>
      Given a result of <kind>
      Then it is the same after to_dict, JSON and from_dict

      Examples:
        | kind               |
        | an answered run    |
        | a failed run       |
        | an unmeasured run  |
        | a priced run       |
        | a typed answer     |
        | a failed wrap-up   |

    Scenario: A result of another version is refused
      Then a result of version 99 is refused with "of version 99"

    Scenario Outline: raise_for_stop of a run that ended with <reason>
      Then raise_for_stop of a run that ended with <reason> <does>

      Examples:
        | reason       | does     |
        | completed    | passes   |
        | tool_only    | passes   |
        | length       | raises   |
        | max_rounds   | raises   |
        | token_budget | raises   |
        | aborted      | raises   |
        | timeout      | raises   |

    Scenario: A kept result keeps neither agent nor executor alive
      Then results of an answered, a failed and a wrapped-up run do not keep their executor alive
