# SPDX-License-Identifier: MIT
"""Compares the values that our JSON reader made of texts with those that Python's makes of them."""

import json
from typing import Any

from patches import same
from recording import Reading

# The JSON reader's own limits. It may refuse any text beyond them (PROTOCOL §7).
DEPTH, NODES = 32, 4_096


class Refused(Exception):
    """A text that RFC 8259 or PROTOCOL §7 forbids."""


def difference(reading: Reading) -> str | None:
    """The point on which the two readers disagree; `None` if they agree."""
    try:
        value = read(reading.text)
    except Refused as reason:
        return f"accepted, which Python does not: {reason}: {reading.text!r}" if reading.accepted else None
    except RecursionError:
        return f"accepted at a depth at which Python gives up: {reading.text[:80]!r}" if reading.accepted else None
    if not reading.accepted:
        depth, nodes = size(value)
        if depth > DEPTH or nodes > NODES:
            return None
        return f"refused, which Python reads as {value!r}: {reading.text!r}"
    return None if same(value, reading.value) else f"read as {reading.value!r}, by Python as {value!r}: {reading.text!r}"


def read(text: bytes) -> Any:
    """Python's reading, made strict: by itself it takes NaN, duplicate names, lone surrogates and infinite numbers."""
    try:
        characters = text.decode("utf-8")
        value = json.loads(
            characters, parse_constant=_refuse, parse_float=_finite, parse_int=_integer, object_pairs_hook=_unique)
        # `_unique` has already looked at the objects.
        _whole([value])
    except ValueError as error:  # of JSON, of UTF-8, and of the checks below
        raise Refused(error) from None
    return value


def size(value: Any) -> tuple[int, int]:
    """The depth of a value, and the number of values in it."""
    depth, nodes = 0, 0
    level = [value]
    while level:
        nodes += len(level)
        depth += any(isinstance(entry, (dict, list)) for entry in level)
        level = [inner for entry in level if isinstance(entry, (dict, list))
                 for inner in (entry.values() if isinstance(entry, dict) else entry)]
    return depth, nodes


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is beyond Double")
    return number


def _integer(text: str) -> int | float:
    # Python limits the digits of an integer, not those of a float.
    if len(text) > 20:
        return _finite(text)
    number = int(text)
    if number == 0 and text.startswith("-"):
        return -0.0
    return number if -(2**63) <= number < 2**63 else float(number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name stands twice")
    for name in members:
        name.encode("utf-8")
    _whole(members.values())
    return members


def _whole(values: Any) -> None:
    """Raises an error if a string has half of a surrogate pair."""
    for value in values:
        if isinstance(value, str):
            value.encode("utf-8")
        elif isinstance(value, list):
            _whole(value)
