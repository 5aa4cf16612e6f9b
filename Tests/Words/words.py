#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the project's pages for a reader: their length, reading ease, spelling and links, and their figures.

Usage: words.py [FILE.md…], by default all pages that git has. Prints the faults and the reading ease of each page.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import links  # noqa: E402
import stated  # noqa: E402
from prose import paragraphs, without_fences, words  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LEAST_EASE = 55  # Flesch reading ease
MOST_LINES = 250  # of README.md
MOST_WORDS = 35  # a sentence of these pages
# The first page that a stranger reads, and the two pages for writers of clients.
IN_SHORT_SENTENCES = re.compile(r"README\.md|Documentation/(PROTOCOL|CLIENT)\.md")
# Pages that must read easily. Decisions are records, and tables are the point of some pages.
GUIDES = re.compile(r"README\.md|CONTRIBUTING\.md|CHANGELOG\.md|SECURITY\.md|Documentation/[A-Z-]+\.md|Sources/.*\.docc/\w+\.md")
DICTIONARY = Path(__file__).resolve().parent / "dictionary.txt"


def ease(text):
    """The Flesch reading ease of a page's prose; `None` for less than 100 words."""
    import textstat

    prose = "\n\n".join(each.text if each.text[-1] in ".!?" else each.text.rstrip(":;,") + "." for each in paragraphs(text))
    return textstat.flesch_reading_ease(prose) if len(words(prose)) >= 100 else None


def lengths(name, text):
    """A sentence for each thing that is too long: README.md as a whole, and sentences of the pages that need short
    ones."""
    count = len(text.splitlines())
    if name == "README.md" and count > MOST_LINES:
        yield f"{name}: {count} lines, expected at most {MOST_LINES}"
    for paragraph in paragraphs(text) if IN_SHORT_SENTENCES.fullmatch(name) else []:
        for sentence in paragraph.sentences:
            if len(words(sentence)) > MOST_WORDS:
                yield f"{name}:{paragraph.line}: a sentence of {len(words(sentence))} words, expected at most {MOST_WORDS}: {sentence}"


def misspelled(files):
    """A sentence for each word that neither British English nor the project's list has.

    Code is passed over, and so are names of code, addresses, files, and words in capitals.
    """
    places = {}
    for name, text in files.items():
        prose = "\n".join(line for _, line in without_fences(text))
        prose = re.sub(r"<!--.*?-->|``?[^`]*``?|<[^>\n]*>|\]\([^)]*\)", lambda found: "\n" * found[0].count("\n") + " ", prose, flags=re.DOTALL)
        prose = re.sub(r"https?:\S+|[\w.~-]*[/_@=]\S*|\S*\.(md|swift|py|js|css|html)\b|[\w-]*\d[\w-]*|&\w+;", " ", prose)
        for number, line in enumerate(prose.replace("’", "'").splitlines(), 1):
            for word in re.findall(r"[A-Za-z]+(?:'[a-z]+)?", line):
                word = re.sub(r"'s$", "", word)
                if not re.search(r"[a-z][A-Z]|^[A-Z]+s?$", word):
                    places.setdefault(word, f"{name}:{number}")
    for word in spell(places):
        yield f"{places[word]}: '{word}' is in no dictionary; if it is right, add it to {DICTIONARY.relative_to(ROOT)}"


def spell(candidates):
    """The words that neither hunspell nor the project's list knows, in order."""
    known = {line.strip() for line in DICTIONARY.read_text().splitlines() if line and not line.startswith("#")}
    asked = [each for each in candidates if each not in known and each.lower() not in known]
    result = subprocess.run(["hunspell", "-d", "en_GB", "-l"], input="\n".join(asked), capture_output=True, text=True, check=True)
    return sorted(set(result.stdout.split()) & set(asked))


def source_names():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {Path(path).name for path in listed.stdout.splitlines()}


def main(names):
    if not names:
        listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
        names = listed.stdout.split()
    files = {name: (ROOT / name).read_text() for name in names}
    found = []
    for name, text in files.items():
        if GUIDES.fullmatch(name) and (score := ease(text)) is not None:
            print(f"{score:6.1f}  {name}")
            if score < LEAST_EASE:
                found.append(f"{name}: a reading ease of {score}, expected at least {LEAST_EASE}")
        found += lengths(name, text)
        found += links.failures(ROOT / name, ROOT)
    found += links.missing_sources(ROOT / "Documentation/SECURITY.md", ROOT, source_names())
    found += misspelled(files)
    found += stated.failures(files, stated.statements(*stated.sources()))
    for each in found:
        print(each, file=sys.stderr)
    print(f"{len(files)} pages, {len(found)} complaints")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
