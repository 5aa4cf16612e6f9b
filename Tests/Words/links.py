# SPDX-License-Identifier: MIT
"""The links of Markdown files within the repository: the files and the anchors that they lead to."""

import re

from prose import without_fences

LINK = re.compile(r"(?<!`)\[(?:[^\]`]|`[^`]*`)*\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"")
SOURCE = re.compile(r"`([\w+]+\.(?:swift|py|mjs))`")
ARTICLE = re.compile(r"<doc:(\w+)>")


def anchors(markdown):
    """The anchors of a file's headings, as GitHub makes them."""
    found = {}
    for _, line in without_fences(markdown):
        if heading := re.match(r"^#{1,6}\s+(.*?)\s*#*$", line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            found[slug] = found.get(slug, -1) + 1
    return {slug if not again else f"{slug}-{again}" for slug, count in found.items() for again in range(count + 1)}


def failures(file, root):
    """A sentence for each link of a file that leads nowhere. Links to other sites are not followed."""
    for number, line in without_fences(file.read_text()):
        without_code = re.sub(r"(?<![\[`])`[^`]*`(?!\])", "", line)
        for target in (found[1] or found[2] for found in LINK.finditer(without_code)):
            complaint = complain(target, file, root)
            if complaint:
                yield f"{file.relative_to(root)}:{number}: {complaint}"
        for name in ARTICLE.findall(line):
            if not (file.parent / f"{name}.md").exists():
                yield f"{file.relative_to(root)}:{number}: there is no article '{name}'"


def missing_sources(file, root, names):
    """A sentence for each source that a file cites in code spans, by its name alone, and that is none of these names."""
    for number, line in without_fences(file.read_text()):
        for cited in SOURCE.findall(line):
            if cited not in names:
                yield f"{file.relative_to(root)}:{number}: there is no source '{cited}'"


def complain(target, file, root):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    place = (root / path.lstrip("/") if path.startswith("/") else file.parent / path).resolve() if path else file
    if not place.exists():
        return f"'{target}' leads to no file"
    if anchor and place.suffix == ".md" and anchor not in anchors(place.read_text()):
        near = ", ".join(sorted(anchors(place.read_text())))
        return f"'{target}' leads to no heading; expected one of: {near}"
    return None
