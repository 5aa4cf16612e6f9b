# SPDX-License-Identifier: MIT
"""Patches (RFC 6902) as lists of operations: their text, and the document after them."""

import json
from typing import Any

from figures import Failure


def text(value: Any) -> str:
    """JSON without white space, as it goes over the wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value: Any) -> str:
    """A text that two values share if and only if they are the same JSON. (Python holds True and 1 to be equal.)"""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def size(value: Any) -> int:
    return len(text(value).encode())


def below(path: str, token: object) -> str:
    """The pointer (RFC 6901) of a member or an element."""
    return path + "/" + str(token).replace("~", "~0").replace("/", "~1")


def apply(patch: list[dict], document: Any) -> Any:
    """The document after a patch, as a new one. It knows the operations of the protocol, and `copy`."""
    document = json.loads(text(document))
    for operation in patch:
        kind, path = operation["op"], operation["path"]
        if kind in ("move", "copy"):
            value = _at(document, operation["from"])
            if kind == "move":
                document = _change(document, operation["from"], "remove", None)
        else:
            value = operation.get("value")
        # A copy is another value from then on.
        document = _change(document, path, "add" if kind in ("move", "copy") else kind, json.loads(text(value)))
    return document


def _tokens(path: str) -> list[str]:
    return [each.replace("~1", "/").replace("~0", "~") for each in path.split("/")[1:]]


def _at(document: Any, path: str) -> Any:
    for token in _tokens(path):
        document = document[int(token) if isinstance(document, list) else token]
    return document


def _change(document: Any, path: str, kind: str, value: Any) -> Any:
    if not path:
        return value
    *tokens, last = _tokens(path)
    parent = document
    for token in tokens:
        parent = parent[int(token) if isinstance(parent, list) else token]
    if isinstance(parent, list):
        index = len(parent) if last == "-" else int(last)
        if not 0 <= index <= len(parent) - (kind != "add"):
            raise Failure(f"{kind} at {path}: expected an index within {len(parent)} elements")
        if kind == "add":
            parent.insert(index, value)
        elif kind == "replace":
            parent[index] = value
        else:
            del parent[index]
    elif kind == "remove":
        del parent[last]
    else:
        if kind == "replace" and last not in parent:
            raise Failure(f"replace at {path}: there is no such member")
        parent[last] = value
    return document
