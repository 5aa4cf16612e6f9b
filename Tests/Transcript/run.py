#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the curl transcript of a page exactly as it is printed, and compares the output with the printed one.

Usage: EURIPUS_BIN=path/to/euripus run.py README.md [HEADING]

The output must be the same to the byte, except for the parts that opaque.py names and the server's port. A block for
the second terminal starts before the first command of the next block, and must end with that command. Its poll says
`?since=`, so it does not matter which of the two reaches the server first.
"""

import difflib
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from opaque import Bindings  # noqa: E402
from readme import Block, Command, Malformed, blocks  # noqa: E402
from server import Failed, serving  # noqa: E402
from terminal import Result, Terminal, Unfinished  # noqa: E402

HEADING = "From curl"
PRINTED_URL = "http://127.0.0.1:8080"


class Transcript:
    """The comparison. It counts the commands that printed the right output and those that did not."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._bindings = Bindings()
        self.passed = 0
        self.failed = 0

    def run(self, todo: list[Block], terminal: Terminal) -> None:
        beside: Block | None = None
        for block in todo:
            if block.in_second_terminal:
                self._wait(beside, terminal)
                beside = block
                terminal.start_beside([self._bindings.as_actual(command.text) for command in block.commands])
                continue
            for command in block.commands:
                self._compare(command, terminal.run(self._bindings.as_actual(command.text)))
                self._wait(beside, terminal)
                beside = None
        self._wait(beside, terminal)

    def _wait(self, beside: Block | None, terminal: Terminal) -> None:
        if beside is not None:
            for command, result in zip(beside.commands, terminal.wait_beside(), strict=True):
                self._compare(command, result)

    def _compare(self, command: Command, result: Result) -> None:
        # A terminal shows a last line in the same way with and without its newline.
        came = result.output.removesuffix("\n").replace(self._url, PRINTED_URL)
        printed = "\n".join(command.output)
        came = self._bindings.as_printed(came, printed)
        if came == printed and result.status == 0:
            self.passed += 1
            return
        self.failed += 1
        print(f"line {command.line}: $ {command.text}")
        if result.status != 0:
            print(f"the command ended with status {result.status}")
        for line in difflib.unified_diff(printed.splitlines(), came.splitlines(), "printed", "came", lineterm=""):
            print(line)


def run(readme: Path, url: str, heading: str = HEADING) -> int:
    """Runs a page's transcript, and gives the exit status. The last printed line has the counts."""
    transcript = Transcript(url)
    with tempfile.TemporaryDirectory() as directory:
        terminal = Terminal(Path(directory), {**os.environ, "EURIPUS_URL": url})
        try:
            transcript.run(blocks(readme.read_text(), heading), terminal)
        except (Malformed, Unfinished, OSError) as error:
            transcript.failed += 1
            print(f"{readme.name}: {error}")
        finally:
            terminal.close()
    print(f"{transcript.passed} passed, {transcript.failed} failed")
    return 1 if transcript.failed or not transcript.passed else 0


def main() -> int:
    root = Path(__file__).resolve().parents[2]
    try:
        with serving(Path(os.environ["EURIPUS_BIN"]).resolve(), root / "Public") as url:
            return run(Path(sys.argv[1]), url, *sys.argv[2:3])
    except Failed as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
