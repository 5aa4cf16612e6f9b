# SPDX-License-Identifier: MIT
"""Times the operations of the js-framework-benchmark's list in one Chromium: shown by euripus.js, by Vue 3 and by hand.

Each time goes from the news to the end of the layout, and is the median of some rounds in which the pages take turns.
The last column is the median of the rounds' ratios.
Vue is taken from the PyPI package that has it in it, for this run alone. The last line says whether euripus.js kept its
limits beside Vue, and the status is 1 if not. Usage: bench.py [ROUNDS]
"""

import functools
import http.server
import statistics
import subprocess
import sys
import tempfile
import threading
import zipfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "/Benchmarks/Client"
# The PyPI package with Vue's build for browsers, and the file in it.
VUE = ("nicegui==3.18.0", "nicegui/static/vue.esm-browser.prod.js")
# The most that euripus.js may take, as a part of what Vue takes.
MOST_TIME, MOST_MEMORY = 1.25, 1.0
PAGES = ["vanilla", "vue", "euripus"]
# The operation, its argument, the rows before it, and the rows that it leaves.
OPERATIONS = [
    ("create 1,000", "create", 1_000, 0, 1_000), ("create 10,000", "create", 10_000, 0, 10_000),
    ("append 1,000 to 1,000", "append", 1_000, 1_000, 2_000), ("append 1,000 to 10,000", "append", 1_000, 10_000, 11_000),
    ("update every 10th of 1,000", "update", 10, 1_000, 1_000), ("update every 10th of 10,000", "update", 10, 10_000, 10_000),
    ("swap two of 1,000", "swap", 0, 1_000, 1_000), ("swap two of 10,000", "swap", 0, 10_000, 10_000),
    ("remove one of 1,000", "remove", 0, 1_000, 999), ("remove one of 10,000", "remove", 0, 10_000, 9_999),
    ("select one of 1,000", "select", 0, 1_000, 1_000), ("select one of 10,000", "select", 0, 10_000, 10_000),
    ("clear 1,000", "clear", 0, 1_000, 0), ("clear 10,000", "clear", 0, 10_000, 0),
    ("a letter in one of 1,000 fields", "type", 0, 1_000, 1_000), ("a letter in one of 10,000 fields", "type", 0, 10_000, 10_000),
]  # fmt: skip


def vue(folder):
    """Fetches Vue, and gives its text."""
    package, name = VUE
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, package], check=True)
    return zipfile.ZipFile(next(Path(folder).glob("*.whl"))).read(name)


class Files(http.server.SimpleHTTPRequestHandler):
    """The project's files, with Vue beside them."""

    vue = b""

    def do_GET(self):
        if self.path != "/vue.js":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", str(len(self.vue)))
        self.end_headers()
        self.wfile.write(self.vue)

    def log_message(self, *_):
        pass


def open_pages(browser, port, kind=""):
    """The pages of a kind, by their names."""
    pages = {}
    for name in PAGES:
        pages[name] = browser.new_page()
        pages[name].goto(f"http://127.0.0.1:{port}{FOLDER}/{name}{kind}.html")
        pages[name].wait_for_function("() => !!window.bench")
    return pages


def run(page, name, argument):
    return page.evaluate("([name, argument]) => bench(name, argument)", [name, argument])


def collect_garbage(page):
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return session


def memory(page):
    """Bytes of the page's JavaScript, once all garbage is gone."""
    session = collect_garbage(page)
    session.send("Performance.enable")
    return next(each["value"] for each in session.send("Performance.getMetrics")["metrics"] if each["name"] == "JSHeapUsedSize")


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder:
        Files.vue = vue(folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(ROOT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        print(f"median of {rounds} rounds, in ms, Chromium {browser.version}\n")
        print(f"| operation | {' | '.join(PAGES)} | euripus to vue |\n|---|{'---:|' * (len(PAGES) + 1)}")
        over = []

        def print_row(title, rounds, most):
            """A row of medians. Other work on the machine comes and goes, so a page is compared with the one of its own round."""
            found = {name: statistics.median(each) for name, each in rounds.items()}
            ratio = statistics.median(ours / theirs for ours, theirs in zip(rounds["euripus"], rounds["vue"]))
            if round(ratio, 2) > most:
                over.append(f"{title}: {ratio:.2f} of Vue's, expected at most {most}")
            print(f"| {title} | {' | '.join(f'{found[name]:.1f}' for name in PAGES)} | {ratio:.2f} |", flush=True)

        for title, operation, argument, before, after in OPERATIONS:
            # An operation has pages of its own, as in the js-framework-benchmark: the numbers of rows only grow, and objects with
            # large numbers as their keys are slow.
            pages = open_pages(browser, server.server_port, "-fields" if operation == "type" else "")
            times = {name: [] for name in PAGES}
            # The first round warms up, and does not count.
            for number in range(rounds + 1):
                for name, page in pages.items():
                    page.bring_to_front()
                    run(page, "create", before)
                    # The garbage of the rows before it is not the operation's.
                    collect_garbage(page)
                    result = run(page, operation, argument)
                    assert result["rows"] == after, f"{name}, {title}: {result['rows']} rows, expected {after}"
                    assert operation != "select" or result["chosen"] == 1, f"{name}, {title}: nothing is chosen"
                    if number:
                        times[name].append(result["time"])
            print_row(title, times, MOST_TIME)
            for page in pages.values():
                page.close()
        sizes = {}
        for name, page in open_pages(browser, server.server_port).items():
            run(page, "clear", 0)
            empty = memory(page)
            run(page, "create", 10_000)
            sizes[name] = [(memory(page) - empty) / 1e6]
        print_row("memory of 10,000 rows, MB", sizes, MOST_MEMORY)
        browser.close()
    print("\n" + ("\n".join(over) or "euripus.js kept its limits"))
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
