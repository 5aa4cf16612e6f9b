# SPDX-License-Identifier: MIT
"""The prose of a Markdown file: its paragraphs without code, tables, pictures and HTML, and its sentences."""

import re
from dataclasses import dataclass

FENCE = re.compile(r"^\s*(```|~~~)")
LIST_ITEM = re.compile(r"^\s*([-*]|\d+\.)\s+")
# Short forms, whose full stop ends no sentence.
SHORT_FORMS = re.compile(r"\b(e\.g|i\.e|etc|vs|cf)\.")


@dataclass
class Paragraph:
    """A paragraph or an item of a list, and the line on which it begins."""

    line: int
    text: str

    @property
    def sentences(self):
        text = SHORT_FORMS.sub(lambda found: found[0].replace(".", ""), self.text)
        return [each.strip() for each in re.split(r"(?<=[.!?:])[)\"'*_]*\s+", text) if each.strip()]


def without_fences(markdown):
    """The lines outside of fences, with their numbers from 1."""
    is_open = False
    for number, line in enumerate(markdown.splitlines(), 1):
        if FENCE.match(line):
            is_open = not is_open
            yield number, ""
        elif not is_open:
            yield number, line


def paragraphs(markdown):
    """The paragraphs, in order, without the headings."""
    markdown = re.sub(r"<!--.*?-->", lambda found: "\n" * found[0].count("\n"), markdown, flags=re.DOTALL)
    found, is_html = [], False
    for number, line in without_fences(markdown):
        begins = LIST_ITEM.match(line)
        if re.match(r"^</?[a-z]", line):
            is_html = True
        if not line.strip():
            found.append(None)
            is_html = False
        elif is_html or re.match(r"^\s*\||^#", line):
            found.append(None)
        elif begins or not found or found[-1] is None:
            found.append(Paragraph(number, LIST_ITEM.sub("", line).strip()))
        else:
            found[-1].text += " " + line.strip()
    # An item of a list that is only the name of a symbol is no prose.
    said = [each for each in found if each and words(plain(each.text, code=lambda _: ""))]
    return [Paragraph(each.line, plain(each.text).strip()) for each in said]


def plain(text, code=lambda name: name if name.isalpha() else "it"):
    """A text without its marks. Code counts as the word that it is, or as a short word."""
    text = re.sub(r"``?([^`]*)``?", lambda found: code(found[1].strip("/")), text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<doc:(\w+)>", r"\1", text)
    text = re.sub(r"<(https?:[^>]*|[a-z/][^>]*)>", "", text)
    return re.sub(r"\*\*?|(?<!\w)_|_(?!\w)", "", text)


def words(sentence):
    """The words of a sentence; a dash alone is none."""
    return [each for each in sentence.split() if re.search(r"\w", each)]
