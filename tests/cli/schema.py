# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check JSON output of programs against the JSON schemas in docs."""

import json
import os

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
         "number": (int, float), "null": type(None)}


class Schema:
    """Validates values. Supports the keywords of JSON Schema that the schemas in docs use."""

    KEYWORDS = {"$ref", "type", "enum", "minimum", "properties", "required", "items",
                "additionalProperties", "description"}

    def __init__(self, name):
        with open(os.path.join(DOCS, name), encoding="utf-8") as file:
            self.whole = json.load(file)

    def part(self, name):
        return self.whole["$defs"][name]

    def wrong(self, value, schema, where="answer"):
        """@return list of violations, as sentences"""
        unknown = set(schema) - self.KEYWORDS
        if unknown:
            return ["%s: the schema has %r, which this test does not know" % (where, unknown)]
        if "$ref" in schema:
            return self.wrong(value, self.part(schema["$ref"].split("/")[-1]), where)
        names = schema.get("type", list(TYPES))
        names = [names] if isinstance(names, str) else names
        fits = [name for name in names if isinstance(value, TYPES[name])
                and (not isinstance(value, bool) or name == "boolean")]
        if not fits:
            return ["%s: %r is no %s" % (where, value, " or ".join(names))]
        if "enum" in schema and value not in schema["enum"]:
            return ["%s: %r is none of %r" % (where, value, schema["enum"])]
        if "minimum" in schema and value is not None and value < schema["minimum"]:
            return ["%s: %r is too small" % (where, value)]
        found = []
        if isinstance(value, list):
            for index, item in enumerate(value):
                found += self.wrong(item, schema.get("items", {}), "%s[%d]" % (where, index))
        if isinstance(value, dict):
            found += self.wrong_members(value, schema, where)
        return found

    def wrong_members(self, value, schema, where):
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", {})
        found = ["%s has no %s" % (where, name)
                 for name in schema.get("required", []) if name not in value]
        for name, member in value.items():
            if name not in known and others is False:
                found.append("%s has %s" % (where, name))
            else:
                found += self.wrong(member, known.get(name, others or {}), where + "." + name)
        return found
