#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a site of the guides, of the pages in Documentation and of the public symbols, by Swift's own docc.

Usage: build-docs.py DIRECTORY, which gets the site. The modules are to be built (.build/debug). Whatever docc warns
of, such as a link to an article that is not there, is an error.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / ".build/debug"
WORK = ROOT / ".build/docs"
# The modules with a catalogue, and for each the modules that it re-exports.
MODULES = {
    "ObservableCore": [],
    "EventSequences": [],
    "Euripus": ["ViewModels", "JSONPatching", "ObservableCore", "EuripusServer", "EuripusOpenAPI", "SQLiteSessions"],
}
# Pages beside the guides, on the site of Euripus.
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "Documentation").glob("*.md"))]
NAMES = {page.resolve(): "Project" if page.name == "README.md" else page.stem for page in PAGES}
LINK = re.compile(r"(?<!!)\[((?:[^\]`]|`[^`]*`)*)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")


def run(*command):
    """The output of a program. If it fails, this script ends."""
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{command[0]} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def symbols(module):
    """Writes the public symbols of a module and of the modules that it re-exports. Gives their folder."""
    folder = WORK / "symbols" / module
    folder.mkdir(parents=True)
    target = json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]
    maps = [option for found in (ROOT / "Sources").rglob("module.modulemap") for option in ("-I", str(found.parent))]
    shim = BUILD / "CMicroHTTPDShim.build/module.modulemap"
    run("swift-symbolgraph-extract", "-module-name", module, "-I", str(BUILD / "Modules"), *maps, "-Xcc", f"-fmodule-map-file={shim}",
        *run("pkg-config", "--cflags-only-I", "libpq").split(), "-target", target, "-minimum-access-level", "public",
        "-skip-synthesized-members", f"-experimental-allowed-reexported-modules={','.join(MODULES[module])}", "-output-dir", str(folder))
    return folder


def place(target, source):
    """The address on the site of a relative link; `None` if it leads to no page of the site."""
    file = (source.parent / target).resolve() if target else source.resolve()
    if file.parent.suffix == ".docc" and file.suffix == ".md":
        module = file.parent.stem
        name = "" if file.stem == module else "/" + file.stem.lower()
        return f"/documentation/{module.lower()}{name}"
    return f"/documentation/euripus/{NAMES[file].lower()}" if file in NAMES else None


# The addresses of the links on the site. docc does not check these, so `main` does.
linked = set()


def on_the_site(text, source):
    """A page in docc's form. Its links lead to the site, and become plain text where they led to another file of
    the project. It has one heading of the first level, no backticks within code, which would be a symbol's name,
    and pictures by their names alone."""
    def link(found):
        address = place(found[2], source)
        if address:
            linked.add(address)
        return f"[{found[1]}]({address})" if address else found[1]

    lines, is_open = [], False
    for line in text.splitlines():
        is_open ^= line.startswith("```")
        if not is_open:
            line = LINK.sub(link, line)
            line = re.sub(r"`` ?`([^`]*)` ?``", r"`\1`", line)
            line = re.sub(r"(!\[[^\]]*\]\()pictures/", r"\1", line)
            if lines and line.startswith("# "):
                line = "#" + line
        lines.append(line)
    return "\n".join(lines) + "\n"


def catalogue(module):
    """A copy of a module's catalogue. The copy of Euripus's has the other pages as well."""
    source = next(place for place in (ROOT / f"Sources/{module}", ROOT / f"{module}/Sources") if place.is_dir()) / f"{module}.docc"
    folder = WORK / "catalogues" / source.name
    folder.mkdir(parents=True)
    for page in source.glob("*.md"):
        (folder / page.name).write_text(on_the_site(page.read_text(), page))
    if module == "Euripus":
        for page in PAGES:
            (folder / f"{NAMES[page.resolve()]}.md").write_text(on_the_site(page.read_text(), page))
        shutil.copy(ROOT / "Documentation/pictures/map.svg", folder)
        topics = "\n".join(f"- <doc:{name}>" for name in NAMES.values())
        with (folder / "Euripus.md").open("a") as main:
            main.write(f"\n### Pages of the project\n\n{topics}\n")
    return folder


def archive(module):
    """The documentation archive of a module, which docc makes."""
    output = WORK / f"{module}.doccarchive"
    said = run("docc", "convert", str(catalogue(module)), "--additional-symbol-graph-dir", str(symbols(module)),
               "--fallback-display-name", module, "--fallback-bundle-identifier", f"euripus.{module}",
               "--transform-for-static-hosting", "--output-path", str(output))
    # A docstring need not repeat its signature, so an undescribed parameter is no fault.
    complaints = [each for each in re.split(r"^(?=warning:|error:)", said, flags=re.MULTILINE)
                  if each.startswith(("warning:", "error:")) and not re.match(r"warning: Parameter '\w+' is missing documentation", each)]
    if complaints:
        sys.exit(f"docc complains of {module}:\n{''.join(complaints)}")
    return output


def main(directory):
    shutil.rmtree(WORK, ignore_errors=True)
    site = Path(os.path.abspath(directory))
    shutil.rmtree(site, ignore_errors=True)
    archives = [str(archive(module)) for module in MODULES]
    run("docc", "merge", *archives, "--synthesized-landing-page-name", "Euripus", "--output-path", str(site))
    pages = len(list((site / "data/documentation").rglob("*.json")))
    guides = [page.stem.lower() for page in (ROOT / "Sources/Euripus/Euripus.docc").glob("*.md")]
    wanted = linked | {f"/documentation/euripus/{name}" for name in guides if name != "euripus"}
    # docc drops some articles in silence: one with the name of a class, for example.
    missing = sorted(address for address in wanted if not (site / f"data{address}.json").exists())
    if missing:
        sys.exit(f"the site has no page {', '.join(missing)}")
    print(f"{directory}: {pages} pages, {len(guides) - 1} guides among them. To look at it: python3 -m http.server --directory {directory}, "
          "and open http://localhost:8000/documentation/euripus/")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
