"""Holds what passes over REST against Discord's published OpenAPI description, where its file is to be found.

The check is a developer's: it needs the file and the package `jsonschema_rs`. Without them the
playground works the same and checks only its own rules.
"""

from __future__ import annotations

import copy
import functools
import importlib.util
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = "urn:discord"
ENVIRONMENT = "WARBOT_OPENAPI"
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "reference" / "discord-openapi.json"
METHODS = ("get", "post", "put", "patch", "delete")

ODDITIES = (
    re.compile(r"application_command.*: .*'nsfw' was unexpected"),
    re.compile(r"(webhook|message|interaction_response).*: .*'tts' was unexpected"),
    re.compile(r"attachments/\d+/id: \d+ is not of type"),
    re.compile(r"(message_reference/\w+_id|allowed_mentions/(users|roles)/\d+): \d+ is not of type"),
)
"""What discord.py sends though the description has it otherwise; Discord takes it.

Searched in "operation, request: where: what": a flag of commands, a flag of edits, and ids as numbers.
"""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that Discord would not have taken, or would not have sent.

    `side` is "request", "answer", or "rule" for what the description does not know.
    """

    method: str
    path: str
    operation: str
    side: str
    detail: str

    def __str__(self) -> str:
        return f"{self.method} {self.path} ({self.operation}), {self.side}: {self.detail}"


@functools.cache
def _read(path: Path) -> Description:
    """Read once a process: it is large, it never changes, and its validators are made on first use."""
    validators = importlib.import_module("jsonschema_rs")
    return Description(json.loads(path.read_text(encoding="utf-8")), validators)


@dataclass(frozen=True, slots=True)
class _Operation:
    method: str
    pattern: re.Pattern[str]
    name: str
    body: dict[str, Any] | None
    answers: dict[str, Any]
    query: frozenset[str]


class Description:
    """The parsed description: `check` compares one exchange with it."""

    def __init__(self, document: dict[str, Any], validators: ModuleType) -> None:
        self._validators = validators
        self._operations = sorted(_operations(document["paths"]), key=lambda o: o.pattern.pattern.count("[^/]"))
        strict = copy.deepcopy(document["components"])
        _close(strict)
        self._registries = {
            "request": validators.Registry([(ROOT, {"components": strict})]),
            "answer": validators.Registry([(ROOT, {"components": document["components"]})]),
        }
        self._cache: dict[tuple[str, str], Any] = {}

    @staticmethod
    def load() -> Description | None:
        """From the file that WARBOT_OPENAPI names, else the one beside the checkout.

        None when there is no such file, or no jsonschema_rs to check with.
        """
        path = Path(os.environ.get(ENVIRONMENT) or BESIDE)
        if importlib.util.find_spec("jsonschema_rs") is None or not path.is_file():
            return None
        return _read(path)

    def check(
        self, method: str, path: str, query: dict[str, str], body: Any, status: int | None, answer: Any
    ) -> list[Violation]:
        """What is wrong with a request (strictly: unknown fields too) and its answer (status None: there is none)."""
        operation = next((o for o in self._operations if o.method == method and o.pattern.fullmatch(path)), None)
        if operation is None:
            return [Violation(method, path, "none", "request", "no such operation in the description")]

        def violation(side: str, detail: str) -> Violation:
            return Violation(method, path, operation.name, side, detail)

        found = [violation("request", f"unknown query {name!r}") for name in set(query) - operation.query]
        if operation.body is not None and body is not None:
            for detail in self._faults("request", operation.body, body):
                if not _is_oddity(operation.name, detail):
                    found.append(violation("request", detail))
        schema, described = _answer_schema(operation, status) if status else (None, True)
        if not described:
            found.append(violation("answer", f"status {status} is not in the description"))
        elif schema is not None:
            found += [violation("answer", detail) for detail in self._faults("answer", schema, answer)]
        return found

    def _faults(self, side: str, schema: dict[str, Any], value: Any) -> Iterator[str]:
        key = (side, json.dumps(schema, sort_keys=True))
        if key not in self._cache:
            absolute = _absolute(schema)
            if side == "request":
                _close(absolute)
            self._cache[key] = self._validators.Draft202012Validator(absolute, registry=self._registries[side])
        for error in self._cache[key].iter_errors(value):
            yield from _leaves(error)


def _operations(paths: dict[str, Any]) -> Iterator[_Operation]:
    for template, item in paths.items():
        pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)))
        shared = item.get("parameters", [])
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            content = operation.get("requestBody", {}).get("content", {})
            parameters = [*shared, *operation.get("parameters", [])]
            yield _Operation(
                method=method.upper(),
                pattern=pattern,
                name=operation["operationId"],
                body=content.get("application/json", {}).get("schema"),
                answers=operation["responses"],
                query=frozenset(p["name"] for p in parameters if p.get("in") == "query"),
            )


def _answer_schema(operation: _Operation, status: int) -> tuple[dict[str, Any] | None, bool]:
    """The schema for an answer of that status, and whether the description has the status at all."""
    answer = operation.answers.get(str(status))
    if answer is None and 400 <= status < 500:
        answer = operation.answers.get("4XX")
    if answer is None:
        return None, status >= 500  # it leaves out what a failing server says
    if "$ref" in answer:
        return None, True
    return answer.get("content", {}).get("application/json", {}).get("schema"), True


def _close(node: Any) -> None:
    """Makes unknown fields an error, in place: the description leaves its objects open."""
    if isinstance(node, list):
        for item in node:
            _close(item)
    elif isinstance(node, dict):
        if node.get("type") == "object" and "properties" in node:
            node.setdefault("additionalProperties", False)
        for value in node.values():
            _close(value)


def _absolute(node: Any) -> Any:
    """A copy whose references name the registered document."""
    if isinstance(node, list):
        return [_absolute(item) for item in node]
    if isinstance(node, dict):
        return {
            key: f"{ROOT}{value}" if key == "$ref" and value.startswith("#") else _absolute(value)
            for key, value in node.items()
        }
    return node


def _leaves(error: Any) -> Iterator[str]:
    """The reasons at the bottom of an error: of a union, those of the branch that was meant."""
    branches = getattr(error.kind, "context", None)
    if not branches or _is_enumeration(branches):
        where = "/".join(str(step) for step in error.instance_path)
        yield f"{where}: {error.message[:200]}"
        return
    depth = len(list(error.instance_path)) + 1
    meant = [branch for branch in branches if not any(_is_other_type(e, depth) for e in branch)] or branches
    for inner in min(meant, key=len):
        yield from _leaves(inner)


def _is_enumeration(branches: list[list[Any]]) -> bool:
    """Whether a union only lists constants: then "none of them" says more than "not the first"."""
    kinds = {error.kind.name for branch in branches for error in branch}
    return len(branches) > 1 and kinds == {"const"}


def _is_other_type(error: Any, depth: int) -> bool:
    """Whether a branch of a union fails already on its own `type`: it was not the one that was meant."""
    path = list(error.instance_path)
    return (len(path) == depth and path[-1] == "type") or (len(path) < depth and error.kind.name == "type")


def _is_oddity(operation: str, detail: str) -> bool:
    return any(oddity.search(f"{operation}, request: {detail}") for oddity in ODDITIES)


def own_rule(method: str, path: str, status: int, answer: Any) -> list[Violation]:
    """A form that this server refused by a rule that the description does not know."""
    if status == 400 and isinstance(answer, dict) and answer.get("code") in (50006, 50035, 50109):
        detail = json.dumps(answer.get("errors") or answer["message"])
        return [Violation(method, path, "refused", "rule", detail[:500])]
    return []
