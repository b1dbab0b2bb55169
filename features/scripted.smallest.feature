Feature: The smallest arguments that a schema allows

  Without a script the scripted model plays any actor: it calls every tool with the smallest arguments that fit its schema.

  Scenario Outline: The smallest value of <schema>
    When the smallest value of the schema <schema> is made
    Then it fits the schema

    Examples:
      | schema                                                                                   |
      | {"type": "string"}                                                                       |
      | {"type": "string", "minLength": 9}                                                       |
      | {"type": "string", "format": "date"}                                                     |
      | {"type": "string", "format": "date-time"}                                                |
      | {"type": "string", "format": "email"}                                                    |
      | {"type": "string", "format": "uuid"}                                                     |
      | {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3,5}$"}                                   |
      | {"type": "string", "pattern": "^(ab\|cd)+x?$"}                                           |
      | {"type": "integer", "minimum": 7, "multipleOf": 5}                                       |
      | {"type": "integer", "exclusiveMinimum": 3}                                               |
      | {"type": "integer", "maximum": -4}                                                       |
      | {"type": "number", "minimum": 0.5}                                                       |
      | {"type": "boolean"}                                                                      |
      | {"type": "null"}                                                                         |
      | {"enum": ["b", "a"]}                                                                     |
      | {"const": 5}                                                                             |
      | {"type": ["null", "string"]}                                                             |
      | {"type": "array", "items": {"type": "integer"}, "minItems": 2}                           |
      | {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": true}      |
      | {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string"}]}                       |
      | {"oneOf": [{"type": "integer"}, {"type": "string"}]}                                     |
      | {"allOf": [{"type": "integer"}, {"minimum": 4}]}                                         |
      | {"$defs": {"n": {"type": "integer", "minimum": 2}}, "type": "object", "properties": {"a": {"$ref": "#/$defs/n"}}, "required": ["a"]} |
      | {"type": "object", "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "integer"}}, "required": ["a"]} |
