#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the folders of each target of Sources are floors: each uses only those below it. Checks the number of targets.

A folder uses another folder of its target if one of its files names a type that a file of the other defines at top
level, or calls a function or reads a property that only an extension or the top level of the other declares. (A
name that is declared in several folders, or in a type's own body too, says nothing and is left out.)

Scripts/floors.txt has two kinds of lines:

    Target: lowest < next < highest     the folders of a target that has several; `.` is its own folder,
                                        and a folder in a folder is the same one
    Target: lower uses upper: reason    a use that climbs, and why it is not mended

The check fails for a use that climbs and is not listed, for a listed one that no file needs any more, and where the
count in the first line is another one. So the list shrinks by itself, and a longer one shows in a review as a number
that grew.

Usage: lint_map.py [--why 'Target: folder uses folder'] [ROOT]
--why prints the lines that make a use.
"""

import argparse
import collections
import re
import sys
from collections.abc import Iterator
from pathlib import Path

# Decisions/0052-fifteen-targets.md, 0069-tools-of-developers.md and 0070-passwords-are-a-product.md have the reasons for this number.
MOST_TARGETS = 17
# The target that is not in Sources, as nothing else uses it.
PLACES = {"EventSequences": "EventSequences/Sources"}
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
            if found := re.search(r"\bcase\s+([^.(:]*)", line):
                self.others |= set(re.findall(r"(?:^|,)\s*([a-z]\w*)", found.group(1)))
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


def files_of(root: Path) -> Iterator[tuple[str, Path, Path]]:
    """Each file with its target, and its path within that."""
    for path in sorted((root / "Sources").rglob("*.swift")):
        target, *below = path.relative_to(root / "Sources").parts
        yield target, path, Path(*below)
    for target, place in PLACES.items():
        for path in sorted((root / place).rglob("*.swift")):
            yield target, path, path.relative_to(root / place)


def folder_of(path: Path) -> str:
    """The folder of a file's path within its target. Folders in a folder are the same room."""
    return path.parts[0] if len(path.parts) > 1 else "."


def arrows_of(root: Path) -> dict[str, dict[tuple[str, str], list[str]]]:
    """For each target its arrows (lower, upper), each with the uses that make it."""
    targets: dict[str, dict[Path, File]] = collections.defaultdict(dict)
    for target, path, _ in files_of(root):
        targets[target][path] = File(code_of(path.read_text()))
    arrows: dict[str, dict[tuple[str, str], list[str]]] = {}
    declared = {target: set().union(*(file.members for file in files.values())) for target, files in targets.items()}
    for target, files in targets.items():
        def folder(path: Path) -> str:
            return folder_of(path.relative_to(root / PLACES.get(target, f"Sources/{target}")))

        homes: dict[str, set[str]] = collections.defaultdict(set)
        members: dict[str, set[str]] = collections.defaultdict(set)
        # A member of another target has the name too.
        ambiguous: set[str] = set().union(*(names for other, names in declared.items() if other != target))
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


def line_of(target: str, lower: str, upper: str) -> str:
    return f"{target}: {lower} uses {upper}"


def folders_of(root: Path) -> dict[str, set[str]]:
    """The folders of each target that has several."""
    folders: dict[str, set[str]] = collections.defaultdict(set)
    for target, _, place in files_of(root):
        folders[target].add(folder_of(place))
    return {target: found for target, found in folders.items() if len(found) > 1}


def faults_of(root: Path) -> list[str]:
    """All that is wrong with the map of the sources below a folder."""
    first, *lines = (root / "Scripts" / "floors.txt").read_text().splitlines() or [""]
    floors: dict[str, list[str]] = {}
    climbing: dict[str, str] = {}
    for line in filter(None, lines):
        target, _, rest = line.partition(": ")
        if " uses " in rest:
            use, _, reason = rest.partition(": ")
            climbing[f"{target}: {use}"] = reason
        else:
            floors[target] = rest.split(" < ")
    arrows = arrows_of(root)
    faults = []
    count = len(arrows.keys() - PLACES.keys())
    if count > MOST_TARGETS:
        faults.append(f"Sources has {count} targets of Swift, expected at most {MOST_TARGETS} (Decisions/0052-fifteen-targets.md)")
    folders = folders_of(root)
    for target in sorted(folders.keys() | floors.keys()):
        expected, listed = sorted(folders.get(target, [])), floors.get(target, [])
        if sorted(listed) != expected:
            faults.append(f"the floors of '{target}' in Scripts/floors.txt are {listed}; expected the folders that there are, each once: {expected}")
    used = {}
    for target, found in arrows.items():
        place = {folder: number for number, folder in enumerate(floors.get(target, []))}
        for (used_folder, using), uses in found.items():
            if place.get(using, 0) < place.get(used_folder, 0):
                used[line_of(target, using, used_folder)] = uses
    for line in sorted(used.keys() - climbing.keys()):
        faults.append(f"'{line}' climbs, and Scripts/floors.txt does not list it: see {used[line][0]}")
    for line in sorted(climbing.keys() - used.keys()):
        faults.append(f"'{line}' stands in Scripts/floors.txt, and no file needs it any more: remove the line, and lower the count")
    for line in sorted(line for line, reason in climbing.items() if not reason):
        faults.append(f"'{line}' in Scripts/floors.txt has no reason; expected one after a colon")
    if first != heading(len(climbing)):
        faults.append(f"the first line of Scripts/floors.txt is to be '{heading(len(climbing))}'")
    return faults


def heading(count: int) -> str:
    return f"# {count} uses climb; this number only falls. Scripts/lint_map.py says what a line means."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--why", metavar="USE")
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parents[1])
    options = parser.parse_args()
    if options.why:
        uses = {
            line_of(target, using, used): lines for target, found in arrows_of(options.root).items() for (used, using), lines in found.items()
        }
        print("\n".join(uses.get(options.why, ["there is no such use"])))
        return
    faults = faults_of(options.root)
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
