# SPDX-License-Identifier: MIT
"""The transcript as it is printed: the shell blocks of one section of a Markdown file.

A block is a ```sh fence after a line `<!-- transcript -->`, or `<!-- transcript: second terminal -->` for one that
runs beside the first command of the next block. In a block, a line that starts with `$ ` is a command, and a
backslash at its end continues it on the next line. Every other line is output of the command before it.
"""

import re
from dataclasses import dataclass, field

MARKS = {"<!-- transcript -->": False, "<!-- transcript: second terminal -->": True}


class Malformed(Exception):
    """A section that cannot be run, with the faulty line."""


@dataclass
class Command:
    line: int
    text: str
    output: list[str] = field(default_factory=list)


@dataclass
class Block:
    in_second_terminal: bool
    commands: list[Command] = field(default_factory=list)


def section(markdown: str, heading: str) -> list[tuple[int, str]]:
    """The lines under a heading, down to the next heading of its level or above, with their numbers from 1."""
    found, level, in_fence = [], 0, False
    for number, line in enumerate(markdown.splitlines(), 1):
        if line.startswith("```"):
            in_fence = not in_fence
        title = None if in_fence else re.match(r"(#+)\s+(.*?)\s*$", line)
        if level and title and len(title[1]) <= level:
            break
        if level:
            found.append((number, line))
        elif title and title[2] == heading:
            level = len(title[1])
    if not level:
        raise Malformed(f"there is no section '{heading}'")
    return found


def blocks(markdown: str, heading: str) -> list[Block]:
    """Every block of the section, in order. Each ```sh fence must be marked, so that none is printed but never run."""
    found, mark, block = [], None, None
    for number, line in section(markdown, heading):
        if block is not None:
            if line.rstrip() == "```":
                block = None
            elif line.startswith("```"):
                raise Malformed(f"line {number}: a block begins in another: the one before it has no end")
            else:
                append(line, number, block)
        elif line.strip() in MARKS:
            mark = MARKS[line.strip()]
        elif line.rstrip() == "```sh":
            if mark is None:
                raise Malformed(f"line {number}: a shell block without a mark: {' or '.join(MARKS)}")
            block, mark = Block(mark), None
            found.append(block)
        elif line.strip():
            mark = None
    if not found:
        raise Malformed(f"there is no block to run in '{heading}'")
    return found


def append(line: str, number: int, block: Block) -> None:
    command = block.commands[-1] if block.commands else None
    if command and not command.output and command.text.endswith("\\"):
        command.text += "\n" + line
    elif line.startswith("$ "):
        block.commands.append(Command(number, line[2:]))
    elif command:
        command.output.append(line)
    else:
        raise Malformed(f"line {number}: output before any command: {line!r}")
