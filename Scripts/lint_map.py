#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the arrows between the folders of each target of Sources, and the number of targets.

A folder uses another folder of its target if one of its files names a type that a file of the other defines at top
level, or calls a function or reads a property that only an extension or the top level of the other declares. (A
name that is declared in several folders, or in a type's own body too, says nothing and is left out.)

Scripts/arrows.txt lists the arrows that are allowed, a line each: `Target: lower < upper` says that files of `upper`
may use those of `lower`. `.` is the target's own folder. The check fails for an arrow that is not listed, for a
listed one that no file needs any more, and where the count in the list's first line is another one. So the list
shrinks by itself, and a longer one shows in a review as a number that grew.

Usage: lint_map.py [--why 'Target: lower < upper'] [--write] [ROOT]
--why prints the uses that make an arrow; --write writes the list anew.
"""

import argparse
import collections
import re
import sys
from pathlib import Path

# Decisions/0052-fifteen-targets.md has the reason for this number.
MOST_TARGETS = 15
TYPE = re.compile(r"\b(?:class|struct|enum|actor|protocol|typealias)\s+([A-Z]\w*)")
MEMBER = re.compile(r"\b(?:func|var|let)\s+`?([a-z_]\w*)")
NAME = re.compile(r"\b[A-Za-z_]\w*\b")
# The declaration that opens a body: an extension's members are looked at, a type's own are not.
OPENING = re.compile(r"\b(extension|class|struct|enum|actor|protocol)\s+[`A-Z]")


def code_of(text: str) -> str:
    """The text without comments and without the text of its strings; a string's interpolations stay."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r'"""(.*?)"""', lambda found: " ".join(interpolations(found.group(1))), text, flags=re.DOTALL)
    lines = []
    for line in text.split("\n"):
        line = re.sub(r'"((?:\\\([^()]*(?:\([^()]*\)[^()]*)*\)|\\[^(]|[^"\\])*)"', lambda found: " ".join(interpolations(found.group(1))) or "0", line)
        lines.append(re.sub(r"//.*", "", line))
    return "\n".join(lines)


def interpolations(text: str) -> list[str]:
    return re.findall(r"\\\(([^()]*(?:\([^()]*\)[^()]*)*)\)", text)


class File:
    """The names that a file declares, and those that it uses."""

    def __init__(self, code: str) -> None:
        self.types: set[str] = set()
        # Members of an extension, or of the top level.
        self.members: set[str] = set()
        # Members of a type, parameters and locals: such a name alone does not tell whose it is.
        self.others: set[str] = set()
        self.lines: list[tuple[int, set[str], set[str]]] = []
        bodies: list[str] = []
        for number, line in enumerate(code.split("\n"), 1):
            # The body in which this line begins.
            place = bodies[-1] if bodies else "top"
            if not bodies:
                self.types |= set(TYPE.findall(line))
            declared = set(MEMBER.findall(line))
            if place in ("top", "extension") and "private " not in line:
                self.members |= declared
            else:
                self.others |= declared
            # Parameters, labels, and cases of an enum.
            self.others |= set(re.findall(r"\b([a-z_]\w*)\s*:", line)) - declared
            self.others |= set(re.findall(r"\bcase\s+([a-z]\w*)", line))
            self.lines.append((number, set(NAME.findall(line)), set(re.findall(r"[.]([a-z_]\w*)", line)) | (
                set(re.findall(r"(?<![.\w])([a-z_]\w*)\(", line)))))
            opening = OPENING.search(line)
            for character in re.findall(r"[{}]", line):
                if character == "{":
                    kind = ("extension" if opening.group(1) == "extension" else "type") if opening else "body"
                    bodies.append(kind if place in ("top", "extension") or kind == "type" else "body")
                    opening = None
                elif bodies:
                    bodies.pop()


def arrows_of(root: Path) -> dict[str, dict[tuple[str, str], list[str]]]:
    """For each target its arrows (lower, upper), each with the uses that make it."""
    targets: dict[str, dict[Path, File]] = collections.defaultdict(dict)
    for path in sorted((root / "Sources").rglob("*.swift")):
        targets[path.relative_to(root / "Sources").parts[0]][path] = File(code_of(path.read_text()))
    arrows: dict[str, dict[tuple[str, str], list[str]]] = {}
    for target, files in targets.items():
        def folder(path: Path) -> str:
            return str(path.parent.relative_to(root / "Sources" / target))

        homes: dict[str, set[str]] = collections.defaultdict(set)
        members: dict[str, set[str]] = collections.defaultdict(set)
        ambiguous: set[str] = set()
        for path, file in files.items():
            for name in file.types:
                homes[name].add(folder(path))
            for name in file.members:
                members[name].add(folder(path))
            ambiguous |= file.others
        found: dict[tuple[str, str], list[str]] = collections.defaultdict(list)
        for path, file in files.items():
            upper = folder(path)
            for number, names, called in file.lines:
                uses = {name: homes[name] for name in names if name in homes}
                uses |= {name: members[name] for name in called if name in members and name not in ambiguous}
                for name, places in uses.items():
                    # A name of several folders is nobody's.
                    if len(places) == 1 and (lower := next(iter(places))) != upper:
                        found[lower, upper].append(f"{path.relative_to(root)}:{number}: {name}")
        arrows[target] = dict(found)
    return arrows


def line_of(target: str, arrow: tuple[str, str]) -> str:
    return f"{target}: {arrow[0]} < {arrow[1]}"


def faults_of(root: Path) -> list[str]:
    """All that is wrong with the map of the sources below a folder."""
    listed = (root / "Scripts" / "arrows.txt").read_text().splitlines()
    arrows = arrows_of(root)
    faults = []
    if len(arrows) > MOST_TARGETS:
        faults.append(f"Sources has {len(arrows)} targets of Swift, expected at most {MOST_TARGETS} (Decisions/0052-fifteen-targets.md)")
    allowed = {line for line in listed[1:] if line}
    used = {line_of(target, arrow): uses for target, found in arrows.items() for arrow, uses in found.items()}
    for line in sorted(used.keys() - allowed):
        faults.append(f"'{line}' is an arrow that Scripts/arrows.txt does not list: the upper folder uses the lower one at {used[line][0]}")
    for line in sorted(allowed - used.keys()):
        faults.append(f"'{line}' stands in Scripts/arrows.txt, and no file needs it any more: remove the line, and lower the count")
    if not listed or listed[0] != heading(len(allowed)):
        faults.append(f"the first line of Scripts/arrows.txt is to be '{heading(len(allowed))}'")
    return faults


def heading(count: int) -> str:
    return f"# {count} arrows; this number only falls. Scripts/lint_map.py says what a line means."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--why", metavar="ARROW")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    options = parser.parse_args()
    if options.why or options.write:
        used = {line_of(target, arrow): uses for target, found in arrows_of(options.root).items() for arrow, uses in found.items()}
        if options.why:
            print("\n".join(used.get(options.why, ["there is no such arrow"])))
        else:
            (options.root / "Scripts" / "arrows.txt").write_text("\n".join([heading(len(used)), *sorted(used)]) + "\n")
        return
    faults = faults_of(options.root)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
