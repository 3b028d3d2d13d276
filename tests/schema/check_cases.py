#!/usr/bin/env python3
"""Holds the JSON Schema of cases against cases, by a validator that knows nothing of Stoss.

    check_cases.py STOSS CASES_FOLDER LEAST_REFUSED [--list]

The schema must be valid (draft 2020-12) and smaller than 300 kB, every good case must pass, and at least LEAST_REFUSED
of the cases in CASES_FOLDER/errors must not. A file that is no YAML counts as refused by no schema. Needs the Debian
packages python3-jsonschema and python3-yaml.
"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml

LARGEST = 300_000  # bytes

# Plain scalars as YAML 1.2 reads them (core schema), and so do editors.
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
SPECIAL = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}


MOST_NODES = 100_000  # of a case that an editor would read


def size_of(node, sizes):
    """Number of values of a node, its aliases written out."""
    if id(node) not in sizes:
        parts = [] if isinstance(node, yaml.ScalarNode) else node.value
        if isinstance(node, yaml.MappingNode):
            parts = [value for _, value in node.value]
        sizes[id(node)] = 1 + sum(size_of(part, sizes) for part in parts)
    return sizes[id(node)]


def value_of(node):
    """A node of PyYAML as plain values of Python."""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): value_of(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [value_of(item) for item in node.value]
    text = node.value
    if node.style in ("'", '"', "|", ">"):
        return text
    if text in WORDS:
        return WORDS[text]
    if text in SPECIAL:
        return SPECIAL[text]
    if NUMBER.match(text):
        return int(text) if re.fullmatch(r"[-+]?[0-9]+", text) else float(text)
    return text


def read(path):
    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        return None if size_of(node, {}) > MOST_NODES else value_of(node)
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, RecursionError):
        return None


def main():
    text = subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True, text=True).stdout
    folder, least = pathlib.Path(sys.argv[2]), int(sys.argv[3])
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    if schema.get("$schema") != "https://json-schema.org/draft/2020-12/schema":
        failures.append("the schema is not of draft 2020-12")
    if len(text.encode()) >= LARGEST:
        failures.append(f"the schema has {len(text.encode())} bytes")
    good = [path for path in sorted(folder.rglob("*.yaml")) if path.parent.name != "errors"]
    for path in good:
        for error in validator.iter_errors(read(path)):
            failures.append(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    bad = sorted((folder / "errors").glob("*.yaml"))
    cases = {path: read(path) for path in bad}
    passed = [path for path, case in cases.items() if case is not None and validator.is_valid(case)]
    unread = [path for path, case in cases.items() if case is None]
    refused = len(bad) - len(passed) - len(unread)
    if "--list" in sys.argv:
        for path in passed:
            print("passes:", path.name, path.with_suffix(".expected").read_text().splitlines()[0])
    print(f"{len(text.encode())} bytes, {len(good)} good cases, {refused} of {len(bad)} bad cases refused, "
          f"{len(unread)} are no YAML")
    if refused < least:
        failures.append(f"{refused} bad cases are refused, {least} were expected")
    print("\n".join(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
