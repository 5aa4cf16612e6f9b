#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each file of Tests/Refused. For each comment `// expected error: …` or `// expected warning: …` the compiler has
to have that to say about the lines that follow it, up to the next such comment.

Usage: check.py SWIFTC-OPTION… (the options say where the modules are)
"""

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
EXPECTED = re.compile(r"\s*// expected (error|warning): (.*)")


def failures(file, output):
    """A sentence for each expectation that is not met, and one if there is none."""
    said = [(int(line), kind, text) for line, kind, text in re.findall(rf"{file.name}:(\d+):\d+: (error|warning): (.*)", output)]
    # A mistake in the text of a macro is said there, with a note on the line that it comes from.
    expanded = re.findall(rf"^macro expansion .*: (error|warning): (.*)\n.*{file.name}:(\d+):", output, re.MULTILINE)
    said += [(int(line), kind, text) for kind, text, line in expanded]
    lines = file.read_text().splitlines()
    expected = [(number, found) for number, line in enumerate(lines, 1) if (found := EXPECTED.match(line))]
    # Expectations on lines that follow each other are of the same code.
    starts = [number for number, _ in expected if not any(other == number - 1 for other, _ in expected)] + [len(lines) + 1]
    for number, found in expected:
        end = next(start for start in starts if start > number)
        here = [(kind, text) for line, kind, text in said if number < line < end]
        if not any(kind == found[1] and found[2] in text for kind, text in here):
            yield f"{file.name}:{number}: expected {found[1]}: {found[2]}; got {here}"
    if not expected:
        yield f"{file.name}: names no expected error"


def main(options):
    files = sorted(FOLDER.glob("*.swift"))
    found = [] if files else [f"{FOLDER}: expected a file of Swift, found none"]
    for file in files:
        command = ["swiftc", "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null", *options, file]
        found += failures(file, subprocess.run(command, capture_output=True, text=True).stderr)
    for each in found:
        print(each, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
