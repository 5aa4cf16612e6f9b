# SPDX-License-Identifier: MIT
"""Applies every patch of a recording with jsonpatch, an independent implementation of RFC 6902."""

from dataclasses import dataclass, field
from typing import Any

import jsonpatch

from recording import Recording


@dataclass
class Outcome:
    applied: int = 0
    """The number of patches with a known state before them."""
    confirmed: int = 0
    """The number of these with another source for the state after them: a snapshot, a state frame or another patch."""
    differences: list[str] = field(default_factory=list)


def check(recording: Recording) -> Outcome:
    outcome = Outcome()
    for session, messages in recording.sessions().items():
        _check(session, messages, outcome)
    return outcome


def _check(session: str, messages: list[dict], outcome: Outcome) -> None:
    states: dict[str, Any] = {}

    def learn(version: str, state: Any, source: str) -> None:
        if version not in states:
            states[version] = state
        elif not same(states[version], state):
            outcome.differences.append(f"{session}: {source} has another state of {version}: {state} and {states[version]}")

    for message in messages:
        version = message.get("version") or message.get("to")
        if "state" in message:
            learn(version, message["state"], "a snapshot")
    frames = [message for message in messages if "patch" in message]
    while True:
        waiting = []
        for frame in frames:
            start, end = frame["from"], frame["to"]
            if start not in states:
                waiting.append(frame)
                continue
            outcome.applied += 1
            outcome.confirmed += end in states
            try:
                learn(end, jsonpatch.apply_patch(states[start], frame["patch"]), f"the patch from {start}")
            except Exception as error:  # the library has many errors for a patch that does not fit
                outcome.differences.append(f"{session}: from {start} to {end}: {error!r}: {frame['patch']}")
        # A patch may have come before the patch that leads to its start.
        if len(waiting) in (0, len(frames)):
            return
        frames = waiting


def same(left: Any, right: Any) -> bool:
    """Equality by RFC 6902 §4.6. Python's own takes True for 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right
