#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the code of the cookbook's recipes beside them, coloured, so that the code shown is the code that runs.

Public/cookbook.html has a figure for each piece of code. `data-of="live"` is the markup of the live part that follows.
`data-of="FILE" data-from="TEXT"` is a paragraph of a file of the project: the lines from the first one that contains
the text up to the next empty line. `data-of="FILE"` is the whole file, without the line of its licence. Documentation/COOKBOOK.md is made of the same page.

Usage: show_code.py [--check]
--check writes nothing, and fails where a file is not what it would write.
"""

import html
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "Public" / "cookbook.html"
GUIDE = ROOT / "Documentation" / "COOKBOOK.md"

FIGURE = r'<figure class="code" data-of="(?P<of>[^"]+)"(?: data-from="(?P<start>[^"]+)")?>.*?</figure>'
LIVE = r'^(?P<margin> *)<div class="live">\n(?P<live>.*?)\n(?P=margin)</div>'
PROSE = r'<p(?: class="wrong")?>(?P<prose>.*?)</p>'
FLAGS = re.DOTALL | re.MULTILINE
LANGUAGES = {"live": "HTML", ".js": "JavaScript", ".mjs": "JavaScript", ".css": "CSS", ".swift": "Swift", ".py": "Python"}

INTRODUCTION = """# The cookbook

Things that many pages need, each in about ten lines. `Public/cookbook.html` has them live: start `make run`, and open `/cookbook`.
`Scripts/show_code.py` builds this page from that one, so the two cannot differ. `Tests/Browser/test_cookbook.py` tests each recipe in Chromium."""

# The parts of a language that get a colour, as pairs of a class and a pattern. The first that fits counts.
STRING = ("string", r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
WORDS = r"\b(?:%s)\b"
SCRIPT_WORDS = (
    "async await break case catch class const continue default else export extends false finally for from function if import in let new "
    "null of return static super switch this throw true try typeof undefined var while yield")
SWIFT_WORDS = (
    "actor as async await break case catch class default defer do else enum extension false final for func guard if import in init lazy "
    "let mutating nil override private public return self static struct switch throw throws true try var where while")
PYTHON_WORDS = (
    "and as assert async await class def elif else except finally for from if import in is lambda None not or pass raise return True False "
    "try while with yield")
SLASHED_NOTE = ("note", r"//.*|/\*[\s\S]*?\*/")
TOKENS = {
    "HTML": [("note", r"<!--.*?-->"), ("tag", r"</?[\w-]+>?|/?>"), ("string", r'"[^"]*"'), ("bound", r"\bdata-vm-[\w-]+"), ("name", r"[\w-]+(?==\")")],
    "JavaScript": [SLASHED_NOTE, STRING, ("tag", WORDS % SCRIPT_WORDS.replace(" ", "|"))],
    "Swift": [SLASHED_NOTE, STRING, ("tag", WORDS % SWIFT_WORDS.replace(" ", "|"))],
    "Python": [("note", r'#.*|"{3}[\s\S]*?"{3}'), STRING, ("tag", WORDS % PYTHON_WORDS.replace(" ", "|"))],
    "CSS": [("note", r"/\*.*?\*/"), STRING, ("tag", r"@[\w-]+"), ("name", r"[\w-]+(?=:\s)")],
}


def coloured(code, language):
    """The code as HTML, with a `span` around each part that has a colour. Text between two tags has none."""
    pattern = "|".join(f"(?P<{name}>{each})" for name, each in TOKENS[language])
    parts, end, in_tag = [], 0, language != "HTML"
    for found in re.finditer(pattern, code, re.DOTALL if language == "HTML" else 0):
        parts.append(html.escape(code[end : found.start()], quote=False))
        name, text = found.lastgroup, html.escape(found[0], quote=False)
        if language == "HTML" and name == "tag":
            in_tag = not found[0].endswith(">")
        parts.append(f'<span class="{name}">{text}</span>' if in_tag or name in ("tag", "note") else text)
        end = found.end()
    return "".join(parts) + html.escape(code[end:], quote=False)


def paragraph(name, start):
    """The lines of a file from the first one that contains a text up to the next empty line."""
    lines = (ROOT / name).read_text().split("\n")
    first = next((number for number, line in enumerate(lines) if start in line), None)
    if first is None:
        sys.exit(f"a figure shows '{start}' of {name}, which has no such line")
    last = next((number for number in range(first, len(lines)) if not lines[number].strip()), len(lines))
    return textwrap.dedent("\n".join(lines[first:last]))


def whole(name):
    licence, program = (ROOT / name).read_text().split("\n", 1)
    if "SPDX" not in licence:
        sys.exit(f"a figure shows {name}, whose first line is no licence")
    return program.strip()


def code_of(page, figure):
    """The name of a figure's language, and its code."""
    if figure["of"] == "live":
        return "HTML", textwrap.dedent(re.compile(LIVE, FLAGS).search(page, figure.end())["live"])
    language, start = LANGUAGES[Path(figure["of"]).suffix], figure["start"]
    return language, paragraph(figure["of"], html.unescape(start)) if start else whole(figure["of"])


def shown(page):
    """The page with the code in its figures."""

    def figure(found):
        language, code = code_of(page, found)
        start = f' data-from="{found["start"]}"' if found["start"] else ""
        file = "" if found["of"] == "live" else Path(found["of"]).name
        name = f"{language}, in {file}" if file else language
        anchor = f' id="{file.replace(".", "-")}"' if file and not start else ""
        return (f'<figure class="code" data-of="{found["of"]}"{start}><figcaption>{name}</figcaption>'
                f'<pre tabindex="0"{anchor}><code>{coloured(code, language)}</code></pre></figure>')

    return re.sub(FIGURE, figure, page, flags=FLAGS)


def plain(text):
    """The Markdown of a line of the page's prose."""
    text = re.sub(r"<code>(.*?)</code>", r"`\1`", text)
    text = re.sub(r'<a href="(#[^"]+)">(.*?)</a>', r"[\2](\1)", text)
    return html.unescape(re.sub(r"<[^>]*>|\s+", lambda found: "" if found[0][0] == "<" else " ", text)).strip()


def guide(page):
    """The guide: each recipe of the page with its code."""
    parts = [INTRODUCTION]
    for section in re.finditer(r"<section .*?</section>", page, re.DOTALL):
        parts.append("## " + plain(re.search(r"<h2[^>]*>(.*?)</h2>", section[0])[1]))
        for article in re.findall(r"<article .*?</article>", section[0], re.DOTALL):
            parts.append("### " + plain(re.search(r"<h3><a[^>]*>(.*?)</a></h3>", article)[1]))
            for piece in re.finditer(f"{FIGURE}|{LIVE}|{PROSE}", article, FLAGS):
                if piece["of"]:
                    language, code = code_of(article, piece)
                    parts.append(f"```{language.lower()}\n{code}\n```")
                elif piece["prose"]:
                    parts.append(plain(piece["prose"]))
    return "\n\n".join(parts) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(f"Usage: {Path(__file__).name} [--check]", file=sys.stderr)
        sys.exit(2)
    page = shown(PAGE.read_text())
    for path, text in ((PAGE, page), (GUIDE, guide(page))):
        if not arguments:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} does not show the code that runs: run 'Scripts/show_code.py', and commit what it writes")


if __name__ == "__main__":
    main(sys.argv[1:])
