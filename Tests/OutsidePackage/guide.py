# SPDX-License-Identifier: MIT
"""The blocks of the guides, for the tests that run them."""

from pathlib import Path

GUIDES = Path(__file__).resolve().parents[2] / "Sources" / "Euripus" / "Euripus.docc"


def text(guide):
    return (GUIDES / f"{guide}.md").read_text(encoding="utf-8")


def block(guide, language, beginning):
    """The block of a guide that is in this language ("" for none) and begins so. There has to be exactly one."""
    blocks = [each.partition("\n") for each in text(guide).split("```")[1::2]]
    found = [content for name, _, content in blocks if name == language and content.startswith(beginning)]
    if len(found) != 1:
        raise SystemExit(f"{guide}.md has {len(found)} blocks in '{language}' that begin with '{beginning}'; expected one")
    return found[0]


def words(line):
    """The words of a command that goes on over several lines."""
    return line.replace("\\\n", " ").split()


def replaced(line, places):
    """The text with each place of the guide replaced by one of the test. Each has to be there."""
    for before, after in places.items():
        if before not in line:
            raise SystemExit(f"the guide does not have '{before}'; expected it in: {line}")
        line = line.replace(before, str(after))
    return line
