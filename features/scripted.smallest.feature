Feature: The smallest arguments that a schema allows

  Without a script the scripted model plays any actor: it calls every tool with the smallest arguments that fit its schema.
  Of the model's question "What is it like in Paris?", a text that may be anything says "Paris".

  Scenario: Any schema
    Then of 150 drawn schemas, each has valid arguments or is said to have none

  Scenario: Any function
    Then each of 150 drawn functions accepts what it is called with

  Scenario Outline: <schema>
    Then for a parameter with <schema> it makes up <value>

    Examples: Texts
      | schema                                                      | value                                  |
      | {"type": "string"}                                          | "Paris"                                |
      | {"type": "string", "minLength": 9}                          | "Paris Par"                            |
      | {"type": "string", "maxLength": 2}                          | "Pa"                                   |
      | {"type": "string", "maxLength": 0}                          | ""                                     |
      | {"type": "string", "format": "date"}                        | "2025-01-01"                           |
      | {"type": "string", "format": "date-time"}                   | "2025-01-01T00:00:00Z"                 |
      | {"type": "string", "format": "email"}                       | "user@example.com"                     |
      | {"type": "string", "format": "uuid"}                        | "00000000-0000-4000-8000-000000000000" |
      | {"type": "string", "format": "a format of one's own"}       | "Paris"                                |

    Examples: Texts of a pattern
      | schema                                                             | value             |
      | {"type": "string", "pattern": "^P"}                                | "Paris"           |
      | {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{3,5}$"}             | "AA-000"          |
      | {"type": "string", "pattern": "^(ab\|cd)+x?$"}                     | "ab"              |
      | {"type": "string", "pattern": "^x*$"}                              | ""                |
      | {"type": "string", "pattern": "^x*$", "minLength": 3}              | "xxx"             |
      | {"type": "string", "pattern": "^x{2,}?y+$"}                        | "xxy"             |
      | {"type": "string", "pattern": "^\\d\\w\\s\\D\\W\\S$"}              | "0a a a"          |
      | {"type": "string", "pattern": "^\\t\\.\\x41\\u0042.$"}             | "\t.ABa"          |
      | {"type": "string", "pattern": "\\A\\bhe\\Bllo\\b\\Z"}              | "hello"           |
      | {"type": "string", "pattern": "^[^a-zA-Z\\d]$"}                    | " "               |
      | {"type": "string", "pattern": "^[\\d]+[]x]$"}                      | "0x"              |
      | {"type": "string", "pattern": "^[\\u4e00-\\u9fff\\x01]$"}          | "\u4e00"          |
      | {"type": "string", "pattern": "^[é]$"}                             | "é"               |
      | {"type": "string", "pattern": "^(?:a\|b)(?P<n>c)(?>d)$"}            | "acd"             |
      | {"type": "string", "pattern": "^(?=.*b)(?!c)b(?<=b)(?<!c)$"}       | "b"               |
      | {"type": "string", "pattern": "(?i)^X(?i:y)$"}                     | "Xy"              |
      | {"type": "string", "pattern": "^a{b$"}                             | "a{b"             |
      | {"type": "string", "pattern": "^\\p{Lu}$"}                         | "Paris"           |

    Examples: Numbers, as near to zero as they may be
      | schema                                                                           | value  |
      | {"type": "integer"}                                                              | 0      |
      | {"type": "integer", "minimum": 7, "multipleOf": 5}                               | 10     |
      | {"type": "integer", "exclusiveMinimum": 3}                                       | 4      |
      | {"type": "integer", "maximum": -4}                                               | -4     |
      | {"type": "integer", "maximum": -4, "minimum": -9, "multipleOf": 4}               | -4     |
      | {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 0.5}                    | 1      |
      | {"type": "number"}                                                               | 0      |
      | {"type": "number", "minimum": 0.5}                                               | 0.5    |
      | {"type": "number", "exclusiveMinimum": 0.5}                                      | 1      |
      | {"type": "number", "exclusiveMaximum": 0}                                        | -1     |
      | {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}                 | 0.1    |
      | {"type": "number", "minimum": 0.25, "multipleOf": 0.1}                           | 0.4    |
      | {"type": "number", "minimum": 1000000000000000000000000.5, "multipleOf": 1e-10}  | 999999999999999983222784 |
      | {"exclusiveMinimum": 2}                                                          | 3      |
      | {"oneOf": [{"type": "number"}, {"type": "integer"}]}                             | 0.1    |

    Examples: What is ready
      | schema                                                   | value  |
      | {"enum": ["b", "a"]}                                     | "b"    |
      | {"const": 5}                                             | 5      |
      | {"const": {"a": [true, null]}}                           | {"a": [true, null]} |
      | {"type": "integer", "default": 3}                        | 3      |
      | {"type": "integer", "default": "x", "examples": ["y", 4]} | 4     |
      | {"type": "integer", "enum": ["a", 7]}                    | 7      |
      | {"enum": [true, 1], "not": {"const": true}}              | 1      |
      | {"type": "boolean"}                                      | false  |
      | {"type": "null"}                                         | null   |
      | {"type": ["null", "string"]}                             | "Paris" |
      | true                                                     | "Paris" |

    Examples: What is ready, but does not fit
      | schema                                                                               | value |
      | {"type": "array", "maxItems": 1, "default": [1, 2]}                                  | []    |
      | {"type": "array", "uniqueItems": true, "default": [1, 1.0]}                          | []    |
      | {"type": "array", "contains": {"const": 5}, "maxContains": 1, "default": [5, 5]}     | [5]   |
      | {"type": "array", "items": {"type": "string"}, "default": [1]}                       | []    |
      | {"type": "object", "dependentSchemas": {"a": false}, "default": {"a": 1}}            | {}    |
      | {"type": "object", "dependentRequired": {"a": ["b"]}, "default": {"a": 1}}           | {}    |
      | {"type": "object", "propertyNames": {"maxLength": 1}, "default": {"ab": 1}}          | {}    |
      | {"type": "object", "additionalProperties": false, "default": {"ab": 1}}              | {}    |
      | {"type": "object", "maxProperties": 1, "default": {"a": 1, "b": 1}}                  | {}    |

    Examples: Lists
      | schema                                                                                          | value              |
      | {"type": "array"}                                                                               | []                 |
      | {"type": "array", "items": {"type": "integer"}, "minItems": 2}                                  | [0, 0]             |
      | {"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": true}             | [1, 2, 3]          |
      | {"items": {"type": "integer"}, "minItems": 3, "uniqueItems": true}                              | [0, 1, -1]         |
      | {"items": {"type": "boolean"}, "minItems": 2, "uniqueItems": true}                              | [false, true]      |
      | {"items": {"type": "string"}, "minItems": 2, "uniqueItems": true}                               | ["Paris", "Paris2"] |
      | {"items": {"type": "string", "maxLength": 5}, "minItems": 2, "uniqueItems": true}               | ["Paris", "Pari2"] |
      | {"items": {"type": "string", "pattern": "^[a-c]$"}, "minItems": 3, "uniqueItems": true}         | ["a", "b", "c"]    |
      | {"items": {"type": "string", "pattern": "^(?:x\|y)$"}, "minItems": 2, "uniqueItems": true}      | ["x", "y"]         |
      | {"items": {"type": "string", "format": "date"}, "minItems": 2, "uniqueItems": true}             | ["2025-01-01", "2025-01-02"] |
      | {"items": {"type": "array", "items": {"type": "integer"}}, "minItems": 2, "uniqueItems": true}  | [[], [0]]          |
      | {"items": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 1}, "minItems": 2, "uniqueItems": true} | [[0], [1]] |
      | {"items": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "minItems": 2, "uniqueItems": true} | [{"a": 0}, {"a": 1}] |
      | {"items": {"type": "object", "properties": {"a": {"type": "integer"}}}, "minItems": 2, "uniqueItems": true} | [{}, {"a": 0}] |
      | {"items": {"enum": [[0], [false], {"a": 0}, {"a": false}]}, "minItems": 4, "uniqueItems": true} | [[0], [false], {"a": 0}, {"a": false}] |
      | {"prefixItems": [{"type": "integer"}, {"type": "string"}], "items": false, "minItems": 2}       | [0, "Paris"]       |
      | {"prefixItems": [{"type": "integer"}], "items": {"type": "null"}, "minItems": 3}                | [0, null, null]    |
      | {"contains": {"const": 5}}                                                                      | [5]                |
      | {"contains": {"const": 5}, "minContains": 2, "minItems": 3, "items": {"type": "integer"}}       | [0, 5, 5]          |
      | {"contains": {"const": 5}, "minContains": 0}                                                    | []                 |
      | {"type": "array", "prefixItems": [{"type": "string"}], "contains": {"const": 5}}                         | ["Paris", 5]       |

    Examples: Objects
      | schema                                                                                                     | value                                 |
      | {"type": "object"}                                                                                         | {}                                    |
      | {"type": "object", "properties": {"a": {"type": "string", "default": "x"}, "b": {"type": "integer"}}, "required": ["a"]} | {"a": "x"}              |
      | {"required": ["a", "b"], "dependentRequired": {"a": ["c", "b"], "c": ["d"]}, "additionalProperties": {"const": 1}} | {"a": 1, "b": 1, "c": 1, "d": 1} |
      | {"properties": {"a": {"const": 1}, "b": {"const": 2}, "c": {"const": 3}}, "required": ["b"], "minProperties": 2} | {"b": 2, "a": 1}                |
      | {"minProperties": 2, "additionalProperties": {"type": "integer"}}                                          | {"key": 0, "Paris": 0}                |
      | {"minProperties": 2, "propertyNames": {"enum": ["x", "y"]}}                                                | {"x": "Paris", "y": "Paris"}          |
      | {"minProperties": 2, "patternProperties": {"^x-": {"type": "integer"}}}                                    | {"x-": 0, "x-0": 0}                   |
      | {"patternProperties": {"^a": {"minimum": 2}, "b$": {"type": "integer"}}, "required": ["ab"]}               | {"ab": 2}                             |
      | {"required": ["a"], "dependentSchemas": {"a": {"required": ["b"]}, "c": {"required": ["d"]}}}              | {"a": "Paris", "b": "Paris"}          |
      | {"properties": {"a": {"const": 1}}, "not": {"maxProperties": 0}, "type": "object"}                         | {"a": 1}                              |

    Examples: Choices
      | schema                                                                                            | value    |
      | {"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string"}]}                                | 3        |
      | {"anyOf": [{"type": "null"}, {"type": "integer"}]}                                                | 0        |
      | {"anyOf": [false, {"type": "integer", "minimum": 3, "maximum": 2}, {"type": "string"}]}           | "Paris"  |
      | {"anyOf": [{"type": "string", "pattern": "^x$"}, {"type": "string", "format": "date"}]}           | "x"      |
      | {"oneOf": [{"type": "integer"}, {"type": "string"}]}                                              | 0        |
      | {"oneOf": [{"minimum": 0}, {"maximum": 0}], "type": "integer"}                                    | 1        |
      | {"not": {"type": "string"}}                                                                       | 0        |
      | {"type": "string", "not": {"const": "Paris"}}                                                     | "Paris2" |
      | {"allOf": [{"not": {"const": "Paris"}}, {"not": {"const": "Paris2"}}], "type": "string"}          | "Pari2"  |
      | {"if": {"type": "string"}, "then": {"const": "x"}, "else": {"type": "integer"}}                   | "x"      |
      | {"if": {"type": "string"}, "then": false, "else": {"type": "integer"}}                            | 0        |
      | {"type": "integer", "allOf": [{"if": {"minimum": 0}, "then": {"minimum": 3}}, {"if": {"maximum": 5}, "then": {"minimum": 4}}]} | 4 |

    Examples: All of several
      | schema                                                                                                   | value              |
      | {"allOf": [{"type": "integer"}, {"minimum": 4}]}                                                         | 4                  |
      | {"allOf": [{"minimum": 4, "maximum": 9}, {"minimum": 6, "maximum": 7}], "type": "integer"}               | 6                  |
      | {"allOf": [{"type": ["number", "null"]}, {"type": "integer"}], "minimum": 0.5}                           | 1                  |
      | {"allOf": [{"enum": [1, 2, 3]}, {"enum": [3, 2]}]}                                                       | 2                  |
      | {"allOf": [{"anyOf": [{"const": 1}, {"const": 2}]}, {"anyOf": [{"const": 2}, {"const": 3}]}]}            | 2                  |
      | {"allOf": [{"multipleOf": 4}, {"multipleOf": 6}], "type": "integer", "minimum": 1}                       | 12                 |
      | {"allOf": [{"required": ["a"], "allOf": [{"required": ["c"]}]}, {"required": ["b", "a"], "allOf": [true]}]} | {"a": "Paris", "b": "Paris", "c": "Paris"} |
      | {"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 2}}, "required": ["a"]}]} | {"a": 2}  |
      | {"allOf": [{"multipleOf": 0.5}, {"multipleOf": 7.25}], "type": "number", "exclusiveMinimum": 0}          | 14.5               |
      | {"allOf": [{"multipleOf": 0.3}, {"multipleOf": 7}], "type": "integer", "exclusiveMinimum": 0}            | 21                 |
      | {"allOf": [{"items": {"type": "integer"}}, {"items": {"minimum": 2}, "minItems": 1}]}                    | [2]                |
      | {"allOf": [{"contains": {"const": 5}, "minContains": 1}, {"contains": {"type": "integer"}, "minContains": 2}]} | [5, 5]       |
      | {"allOf": [{"$ref": "#/$defs/count"}, {"$ref": "#/$defs/listed/anyOf/0"}], "anyOf": [true]}                    | 12                 |

    Examples: References
      | schema                                                   | value                          |
      | {"$ref": "#/$defs/count"}                                | 2                              |
      | {"$ref": "#/$defs/count", "minimum": 5}                  | 5                              |
      | {"$ref": "#/$defs/tree"}                                 | {"name": "Paris", "left": null} |
      | {"$ref": "#/$defs/a~1b~0c%25"}                           | "found"                        |
      | {"$ref": "#/$defs/listed/anyOf/1"}                             | "in a list"                    |

  Scenario Outline: None is found for <schema>
    Then for a parameter with <schema> it says "<message>"

    Examples: Nothing is allowed, or nothing that has an end
      | schema                                                   | message                                           |
      | false                                                    | no value was found for the schema False    |
      | {"type": "integer", "minimum": 3, "maximum": 2}          | no value was found for the schema {'type': 'integer', 'minimum': 3, 'maximum': 2}    |
      | {"type": "number", "minimum": 3, "exclusiveMaximum": 3}  | no value was found for the schema {'type': 'number', 'minimum': 3, 'exclusiveMaximum': 3}    |
      | {"allOf": [{"type": "string"}, {"type": "integer"}]}     | no value was found for the schema {'allOf': [{'type': 'string'}, {'type': 'integer'}]} |
      | {"allOf": [{"type": ["integer", "number"]}, {"type": "string"}]} | no value was found for the schema {'allOf': [{'type': ['integer', 'number']}, {'type': 'string'}]} |
      | {"allOf": [{"const": 1}, {"const": 2}]}                  | no value was found for the schema {'allOf': [{'const': 1}, {'const': 2}]} |
      | {"type": "boolean", "enum": ["a"]}                       | no value was found for the schema {'type': 'boolean', 'enum': ['a']}    |
      | {"items": {"type": "boolean"}, "minItems": 3, "uniqueItems": true, "type": "array"} | no other value was found for the schema {'type': 'boolean'} |
      | {"type": "object", "minProperties": 1, "additionalProperties": false} | no name was found for a property to add to {'type': 'object', 'minProperties': 1, 'additionalProperties': False} |
      | {"$ref": "#/$defs/endless"}                              | no value was found for the schema {'$ref': '#/$defs/endless'}    |
      | {"$ref": "#/$defs/circle"}                               | no value was found for the schema {'$ref': '#/$defs/circle'}    |
      | {"type": "array", "minItems": 1001}                      | an array of 1001 items is too long to write    |
      | {"type": "string", "minLength": 1000001}                 | a string of 1000001 characters is too long to write    |

    Examples: What is beyond the search
      | schema                                                                            | message                                                      |
      | {"type": "string", "pattern": "^(a)\\1$"}                                         | no value was found for the schema {'type': 'string', 'pattern': '^(a)\\1$'}               |
      | {"type": "string", "pattern": "^(a)?(?(1)b\|c)$"}                                 | no value was found for the schema {'type': 'string', 'pattern': '^(a)?(?(1)b\|c)$'}               |
      | {"type": "string", "pattern": "^(?:z{1000}){1000}$"}                              | no value was found for the schema {'type': 'string', 'pattern': '^(?:z{1000}){1000}$'}               |
      | {"type": "string", "pattern": "^[\\U0001F600-\\U0001F601]$"}                      | no value was found for the schema {'type': 'string', 'pattern': '^[\\U0001F600-\\U0001F601]$'}               |
      | {"items": {"type": "string", "pattern": "\\p", "maxLength": 0}, "minItems": 2, "uniqueItems": true, "type": "array"} | no other value was found for the schema {'type': 'string', 'pattern': '\\p', 'maxLength': 0} |
      | {"allOf": [{"pattern": "^[a-z]9$"}, {"pattern": "^x"}], "type": "string"}         | no value was found for the schema {'allOf': [{'pattern': '^[a-z]9$'}, {'pattern': '^x'}], 'type': 'string'} |
      | {"$ref": "#/$defs/nobody"}                                                        | the schema has no '#/$defs/nobody'                           |
      | {"$ref": "#/$defs/listed/anyOf/7"}                                                      | the schema has no '#/$defs/listed/anyOf/7'                         |
      | {"$ref": "#count"}                                                                | the schema refers to '#count': only `#/…` is followed        |
      | {"$ref": "https://example.com/schema.json"}                                       | the schema refers to 'https://example.com/schema.json': only `#/…` is followed |
      | {"not": {"$ref": "#/$defs/circle"}}                                               | the schema's '#/$defs/circle' refers to itself               |
      | {"type": "object", "unevaluatedProperties": false}                                | the schema has 'unevaluatedProperties', which is not understood |
      | {"allOf": [{"$dynamicRef": "#x"}]}                                                | the schema has '$dynamicRef', which is not understood        |

  Scenario: Pairs as draft 7 has them
    Then for a parameter of draft 7 with {"type": "array", "items": [{"type": "integer"}, {"type": "string"}], "minItems": 2} it makes up [0, "Paris"]
    And for a parameter of draft 7 with {"type": "array", "items": [{"type": "integer"}], "additionalItems": {"type": "null"}, "minItems": 2} it makes up [0, null]

  Scenario: Numbers beyond floats
    Then numbers beyond floats are made up too, or said to be none

  Scenario: A schema that is nested too deeply
    Then for a parameter nested 250 levels deep it says "the schema is too deep to find a value for it"

  Scenario: A schema that allows little among very much
    Then for a parameter of 12 choices, each of 12, it says "the schema takes too long to find a value for it"

  Scenario: Lists and objects as long as they may be
    Then for a parameter with {"items": {"type": "integer"}, "minItems": 300, "uniqueItems": true} there are 300 different items
    And for a parameter with {"minProperties": 150} there are 150 different items
