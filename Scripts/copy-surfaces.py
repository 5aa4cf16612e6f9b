#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the view model of each demo out of its source, for the drawer of the wire: Public/surfaces/NAME.txt.

A copy is the declaration of the class whose surface has the page's name, with its comment, as it stands in Demos.

Usage: copy-surfaces.py [--check]
--check writes nothing, and fails where a copy is not what the source has.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "Public" / "surfaces"

# A class at the margin, with the comment above it, up to the brace at the margin.
CLASS = re.compile(r"^(?:///.*\n)*(?:@\w+ )?(?:public )?final class \w+.*?^}\n", re.MULTILINE | re.DOTALL)
SURFACE = re.compile(r'Surface<\w+>\(\s*"(\w+)"')


def models():
    """The names of the view models whose copies the pages name."""
    pages = (page.read_text() for page in (ROOT / "Public").glob("*.html"))
    return {name for page in pages for name in re.findall(r' data-vm-wire="/surfaces/(\w+)\.txt"', page)}


def copies():
    """The text of each copy, by its name."""
    wanted, found = models(), {}
    for source in sorted((ROOT / "Demos").rglob("*.swift")):
        for declaration in CLASS.findall(source.read_text()):
            name = SURFACE.search(declaration)
            if name and name[1] in wanted:
                found[name[1]] = f"// {source.relative_to(ROOT)}\n\n{declaration}"
    if missing := wanted - found.keys():
        sys.exit(f"{sys.argv[0]}: no class in Demos has the surface of {', '.join(sorted(missing))}")
    return found


def main(is_check):
    expected = copies()
    present = {path.stem: path.read_text() for path in TARGET.glob("*.txt")}
    if present == expected:
        return
    if is_check:
        sys.exit("Public/surfaces is not what Demos has: run Scripts/copy-surfaces.py, and commit what it makes")
    TARGET.mkdir(exist_ok=True)
    for name in present.keys() - expected.keys():
        (TARGET / f"{name}.txt").unlink()
    for name, text in expected.items():
        (TARGET / f"{name}.txt").write_text(text)


arguments = sys.argv[1:]
if arguments not in ([], ["--check"]):
    print(f"Usage: {Path(__file__).name} [--check]", file=sys.stderr)
    sys.exit(2)
main(is_check=bool(arguments))
