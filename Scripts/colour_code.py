#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Colours the code on the pages reference.html and client.html, so that no page needs a script for that.

A figure with `data-of` shows the part of the page or the file that it names, as show_code.py says. Any other
`figure class="code"` keeps its text. The first word of its caption is the language.

Usage: colour_code.py [--check]
--check writes nothing, and fails where a page is not what it would write.
"""

import html
import re
import sys

from show_code import ROOT, coloured, shown

PAGES = ["reference.html", "client.html"]
KEPT = re.compile(
    r'(?P<head><figure class="code"><figcaption>(?P<language>\w+)[^<]*</figcaption><pre[^>]*><code>)(?P<code>.*?)(?=</code></pre></figure>)', re.DOTALL)


def kept(figure):
    """A figure with its own text, coloured."""
    code = html.unescape(re.sub(r"</?span[^>]*>", "", figure["code"]))
    return figure["head"] + coloured(code, figure["language"])


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("Usage: colour_code.py [--check]", file=sys.stderr)
        sys.exit(2)
    for name in PAGES:
        path = ROOT / "Public" / name
        text = path.read_text()
        page = KEPT.sub(kept, shown(text))
        if not arguments:
            path.write_text(page)
        elif page != text:
            sys.exit(f"Public/{name} does not show its code in colours: run 'Scripts/colour_code.py', and commit what it writes")


if __name__ == "__main__":
    main(sys.argv[1:])
