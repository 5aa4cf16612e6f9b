#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes two files for coding agents out of the guides: llms.txt, and Skills/euripus/SKILL.md.

llms.txt (llmstxt.org) lists the guides and the pages of Documentation, each with its first sentence. The skill has the
rules of work below, then the program, the page, the tests and the tables of the guides, word for word.

Usage: write-for-agents.py [--check]
--check writes nothing, and fails where a file is not what the guides have.
"""

import os.path
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDES = ROOT / "Sources/Euripus/Euripus.docc"
PAGES = ROOT / "Documentation"
# The pages of Documentation that somebody who writes an app reads.
FOR_APPS = ["CLIENT", "COOKBOOK", "MISTAKES", "OPERATIONS", "PROTOCOL", "ROUTES", "SCALING", "SECURITY", "STORED-STATE", "CURL"]

RULES = """---
name: euripus
description: Writes and changes apps on Euripus, a Swift server that hosts view models for web pages and other thin clients. Use it in a Swift package that depends on Euripus, or to begin one.
---

# Write an app on Euripus

A view model is one Swift object for a page: its state, its rules, its actions. Its *surface* lists all that a client can see and do. A
page is HTML with `data-vm-` attributes, and has no script. Clients send actions by POST, and follow the state as JSON.

## How to work

1. To begin: `euripus new NAME`, then `swift run` in its folder. It has an app, a page, and tests of three kinds to copy from.
2. Put each rule into the view model, and never into the page: the server refuses what its surface does not allow.
3. Name each new value, action and command on the surface. What is not named there cannot be reached, and is lost in a restart:
   private variables that must survive one are `.stored`.
4. An `async` method is a command. What takes time goes there, or into a service that the view model is given by its `init`.
5. Write a test with `ModelDriver` for each behaviour, and `expectRestorable` for each view model. Use no sleeps: `await driver.settled()`.
6. `swift build --build-tests && swift test --skip-build`. Errors say what was expected; [MISTAKES.md](Documentation/MISTAKES.md) has
   each sentence with its cause.
7. `swift run APP serve --dev`, and the browser's console names each attribute that leads nowhere. With curl, `POST /sessions/NAME`
   opens a session, and `GET` of its URL is the whole state.
8. `APP types NAME --typescript` and `/openapi.json` say what a client sees.
"""


class Page:
    """A Markdown page: its title, its first paragraph, and its parts by their headings."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        lines = self.text.split("\n")
        self.title = lines[0].removeprefix("# ").strip("`")
        self.opening = " ".join(self.text.split("\n\n")[1].split("\n"))

    @property
    def summary(self):
        """Its first sentence, and those behind it as long as they are very short."""
        return re.match(r".{30,}?[.!?](?= |$)|.*", self.opening)[0]

    def part(self, heading):
        """The text under a heading, up to the next one of its level or above."""
        level = heading.index(" ")
        found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{level}}} |\Z)", self.text, re.MULTILINE | re.DOTALL)
        if not found:
            sys.exit(f"{self.path.relative_to(ROOT)} has no heading '{heading}'; expected it for SKILL.md")
        return found[1].strip("\n")

    def table(self, heading, first="|"):
        """The table under a heading whose first line begins so."""
        tables = re.findall(r"(?:^\|.*\n?)+", self.part(heading), re.MULTILINE)
        found = [each.strip("\n") for each in tables if each.startswith(first)]
        if not found:
            sys.exit(f"'{heading}' of {self.path.relative_to(ROOT)} has no table that begins with '{first}'; expected it for SKILL.md")
        return found[0]

    def blocks(self, heading, language):
        """The blocks of code under a heading, in that language."""
        found = re.findall(rf"^```{language}\n.*?^```$", self.part(heading), re.MULTILINE | re.DOTALL)
        if not found:
            sys.exit(f"'{heading}' of {self.path.relative_to(ROOT)} has no block in '{language}'; expected it for SKILL.md")
        return "\n\n".join(found)


def guide(name):
    return Page(GUIDES / f"{name}.md")


def document(name):
    return Page(PAGES / f"{name}.md")


def relinked(text, source, target):
    """A text of one page with its links as another page has them."""
    def link(found):
        place = (source / found[2]).resolve() if found[2] else source
        return f"[{found[1]}]({os.path.relpath(place, target)}{found[3] or ''})"

    def doc(found):
        page = guide(found[1])
        return f"[{page.title}]({os.path.relpath(page.path, target)})"

    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    text = re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)", link, text)
    return re.sub(r"<doc:(\w+)>", doc, text)


def of(page, text, target):
    """A text of a page, with its links. An anchor leads into that page."""
    text = re.sub(r"\]\(#", f"]({page.path.name}#", text)
    return relinked(text, page.path.parent, target)


def list_of(pages, target):
    """A line for each page: its title, its place and its first sentence."""
    return "\n".join(f"- [{page.title}]({os.path.relpath(page.path, target)}): {of(page, page.summary, target)}" for page in pages)


def topics():
    """The guides by the headings of the catalogue, in its order."""
    catalogue = (GUIDES / "Euripus.md").read_text(encoding="utf-8")
    for part in catalogue.split("\n### ")[1:]:
        heading, _, rest = part.partition("\n")
        yield heading, [guide(name) for name in re.findall(r"<doc:(\w+)>", rest)]


def index():
    """The text of llms.txt."""
    summary = Page(GUIDES / "Euripus.md").opening
    parts = [
        f"# Euripus\n\n> {summary} One Swift object holds the state, the rules and the actions of a page. Static pages, curl and apps are its views, over plain HTTP and JSON.",
        "The links are paths in the repository. In a package that depends on Euripus it lies in `.build/checkouts/euripus`. "
        "`Skills/euripus/SKILL.md` has the essentials in one file.",
    ]
    parts += [f"## {heading}\n\n{list_of(pages, ROOT)}" for heading, pages in topics()]
    parts.append(f"## Reference\n\n{list_of([document(name) for name in FOR_APPS], ROOT)}")
    return "\n\n".join(parts) + "\n"


def skill():
    """The text of the skill."""
    target = ROOT / "Skills/euripus"
    first, surfaces, forms, commands, client = guide("TenMinutes"), guide("Surfaces"), guide("Forms"), guide("Commands"), document("CLIENT")
    database, services, lists, rooms = guide("YourOwnDatabase"), guide("Services"), guide("ListsOverTables"), guide("People")
    parts = [
        relinked(RULES.strip("\n"), ROOT, target),
        f"## A whole app\n\nThe view model:\n\n{first.blocks('## The view model', 'swift')}\n\nThe program:\n\n{first.blocks('## A program', 'swift')}",
        f"`Public/index.html`, beside a copy of `Public/euripus*.js`:\n\n{first.blocks('## A page', 'html')}",
        f"Tests, without a server and over HTTP:\n\n{first.blocks('## A test without a server', 'swift')}\n\n{first.blocks('## A test over HTTP', 'swift')}",
        f"## The lines of a surface\n\n{of(surfaces, surfaces.table('## Values'), target)}",
        of(surfaces, surfaces.table("## Actions"), target),
        of(surfaces, surfaces.table("## Parts"), target),
        f"A field of a form, `.field(\"email\", \\.email, .required)`, is a `lazy var email = Field(self, \"\")`, and has rules:\n\n{of(surfaces, surfaces.table('## A form', '| rule'), target)}",
        of(forms, forms.table("### Field or plain value?"), target),
        f"## Commands\n\n{commands.blocks('### An error that a person may read', 'swift')}\n\n{of(commands, commands.table('### Started while it is at work'), target)}",
        f"## Tables of one's own\n\n{database.blocks('## What do I do', 'swift')}\n\n{of(database, database.table('## What do I do', '| the work'), target)}",
        f"A service, work in the background, and a page that follows a topic:\n\n{services.blocks('## What do I do', 'swift')}",
        f"A list over a table:\n\n{lists.blocks('## What do I do', 'swift')}",
        f"## A room that several people are in\n\n{rooms.blocks('## What do I do', 'swift')}",
        f"## The attributes of a page\n\nEach begins with `data-vm-`.\n\n{of(client, client.table('## All attributes'), target)}",
        f"## If it goes wrong\n\n{of(surfaces, surfaces.table('## What if it goes wrong'), target)}",
    ]
    parts += [f"## {heading}\n\n{list_of(pages, target)}" for heading, pages in topics()]
    return "\n\n".join(parts) + "\n"


def main(is_check):
    for path, text in {ROOT / "llms.txt": index(), ROOT / "Skills/euripus/SKILL.md": skill()}.items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if is_check:
            sys.exit(f"{path.relative_to(ROOT)} is not what the guides have: run Scripts/write-for-agents.py, and commit what it makes")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    main(is_check=bool(sys.argv[1:]))
