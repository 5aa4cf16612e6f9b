#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the packages that `euripus new` makes, and the client's files, as Swift into Sources/EuripusTools/New/Embedded.

So the program is one file, wherever it is copied to. The sources are the folders of Templates, which are packages that
build and have tests, and Public/euripus*.js with the style that one of them loads.

Usage: embed-templates.py [--check]
--check writes nothing, and fails where the Swift is not what the folders have.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "Sources/EuripusTools/New/Embedded"


def files_of(folder):
    """The files of a template by their paths: those that git has or would take. Links and built files are left out."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "."], cwd=folder, check=True, capture_output=True, text=True).stdout
    return {path: folder / path for path in sorted(listed.split("\0")) if path and (folder / path).is_file()}


def literal(text):
    """A literal of Swift that has a text as it is."""
    hashes = "#"
    while f'"""{hashes}' in text or f"\\{hashes}" in text:
        hashes += "#"
    return f'{hashes}"""\n{text}\n"""{hashes}'


def declaration(files, kind, name):
    """An extension with the files of a template, or of the client."""
    lines = [
        "// SPDX-License-Identifier: MIT",
        "// swift-format-ignore-file",
        "// Made by Scripts/embed-templates.py.",
        "",
        f"extension {kind} {{",
        f"static let {name}: [NewFile] = [",
    ]
    for path, source in files.items():
        executable = ", isExecutable: true" if os.access(source, os.X_OK) else ""
        lines.append(f'NewFile("{path}"{executable}, text: {literal(source.read_text())}),')
    return "\n".join([*lines, "]", "}"]) + "\n"


def expected():
    """The text of each Swift file by its name."""
    public = ROOT / "Public"
    client = [*sorted(public.glob("euripus*.js")), public / "euripus-page.css", public / "euripus-wire.css"]
    return {
        "NewFile+app.swift": declaration(files_of(ROOT / "Templates/App"), "NewFile", "app"),
        "NewFile+counter.swift": declaration(files_of(ROOT / "Templates/Counter"), "NewFile", "counter"),
        "NewFile+client.swift": declaration({f"Public/{each.name}": each for each in client}, "NewFile", "client"),
    }


def main(is_check):
    texts = expected()
    present = {path.name: path.read_text() for path in TARGET.glob("*")}
    if present == texts:
        return
    if is_check:
        stale = sorted(name for name in texts.keys() | present.keys() if texts.get(name) != present.get(name))
        sys.exit(f"{', '.join(stale)} in {TARGET.relative_to(ROOT)} is not what Templates and Public have: run Scripts/embed-templates.py, and commit what it makes")
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in present.keys() - texts.keys():
        (TARGET / name).unlink()
    for name, text in texts.items():
        (TARGET / name).write_text(text)


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(is_check=bool(sys.argv[1:]))
