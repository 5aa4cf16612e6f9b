#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges the recordings of the suites (recording.py), with independent software.

Usage: run.py RECORDINGS NAME…

RECORDINGS/NAME is the recording of a suite, and RECORDINGS/NAME.canary is the secret that was typed in it.

- jsonpatch applies every patch, which must give the state that a snapshot shows.
- Python's JSON reader reads every text that ours was given.
- Every response must keep the rules of HTTP.
- Nothing that a server gave out may have the secret.

LEAST has the counts that a suite must have recorded at least. With fewer, the referee would have judged too little.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True

import canary  # noqa: E402
import conformance  # noqa: E402
import patches  # noqa: E402
import texts  # noqa: E402
from recording import Recording  # noqa: E402

SHOWN = 10


@dataclass
class Least:
    patches: int
    texts: int
    typed: int


LEAST = {"swift": Least(4_000, 50_000, 20), "transcript": Least(4, 0, 0), "browser": Least(100, 0, 3),
         "api": Least(40, 0, 0)}


# The fields of documents that a setting may leave out, for the suites with such servers. Other tests check these
# fields.
WITHOUT = {"swift": (b"content-security-policy",)}


def judge(recording: Recording, secret: str, least: Least, without: tuple[bytes, ...] = ()) -> tuple[str, list[str]]:
    """The report on the recording's contents, and the faults."""
    outcome = patches.check(recording)
    wrong = [f"patch: {text}" for text in outcome.differences]
    wrong += [f"text: {text}" for text in map(texts.difference, recording.readings) if text]
    wrong += [f"HTTP: {text}" for connection in recording.connections.values()
              for text in conformance.complaints(connection, without)]
    wrong += [f"secret: {text}" for text in canary.hits(recording, secret)]
    typed = canary.times_typed(recording, secret)
    seen = Least(outcome.confirmed, len(recording.readings), typed)
    for name, number in vars(least).items():
        if vars(seen)[name] < number:
            wrong.append(f"recorded: only {vars(seen)[name]} of at least {number} {name}")
    summary = (f"{outcome.applied} patches applied, {outcome.confirmed} of them to a state that is known otherwise; "
               f"{len(recording.readings)} texts read; a secret typed {typed} times and searched for in "
               f"{len(recording.connections)} connections, {len(recording.logs)} lines, {len(recording.files)} files")
    return summary, wrong


def main(arguments: list[str]) -> int:
    directory, status = Path(arguments[0]), 0
    for name in arguments[1:]:
        if not (directory / name).is_dir():
            print(f"{name}: there is no recording; 'make test-{name}' makes it", file=sys.stderr)
            status = 1
            continue
        secret = (directory / f"{name}.canary").read_text().strip()
        summary, wrong = judge(Recording(directory / name), secret, LEAST[name], WITHOUT.get(name, ()))
        print(f"{name}: {summary}: {len(wrong)} wrong")
        for text in wrong[:SHOWN]:
            print(f"  {text[:2_000]}", file=sys.stderr)
        status = status or int(bool(wrong))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
