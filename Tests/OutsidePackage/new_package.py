# SPDX-License-Identifier: MIT
"""Makes both packages of `euripus new` with a copy of the program that stands alone, and builds, tests and runs them as
their README says. They depend on a tagged repository, which git finds in place of the one that `Package.swift` names.

Usage: new_package.py PROGRAM
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

from program import LIMIT, ROOT, expect

ADDRESS = "https://euripus.example/euripus.git"
BUILD_LIMIT = 1_800
"""The seconds after which a build hangs: it compiles all of Euripus."""


def version():
    source = (ROOT / "Sources/EuripusServer/EuripusServer.swift").read_text(encoding="utf-8")
    return re.search(r'static let version = "([^"]*)"', source)[1]


def tagged(folder):
    """A repository of the files that git has or would take here, with the version as its tag. Its folder has another name."""
    repository = folder / "origin"
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True).stdout
    repository.mkdir()
    subprocess.run(["xargs", "-0", "cp", "--parents", "--no-dereference", "--target-directory", repository], cwd=ROOT, input=listed, check=True)
    author = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    for command in [["init", "--quiet"], ["add", "--all"], [*author, "commit", "--quiet", "--message", "A release"], ["tag", version()]]:
        subprocess.run(["git", *command], cwd=repository, check=True)
    return repository


class Making:
    """A folder with a program, and packages that it has made. SwiftPM's caches are its own: they remember each version."""

    def __init__(self, program, folder):
        self.folder = folder
        self.program = folder / "bin" / "euripus"
        self.program.parent.mkdir()
        shutil.copy(program, self.program)
        count = int(os.environ.get("GIT_CONFIG_COUNT", "0"))
        self.environment = {
            **os.environ, "GIT_CONFIG_COUNT": str(count + 1), f"GIT_CONFIG_KEY_{count}": f"url.{tagged(folder)}.insteadOf",
            f"GIT_CONFIG_VALUE_{count}": ADDRESS, "EURIPUS_PORT": "0"}
        # Both packages are built in one place: the modules of Euripus that were built for one are right for the other.
        self.built = folder / "built"
        self.options = ["--scratch-path", str(self.built)]
        self.options += [word for name in ("cache", "config", "security") for word in (f"--{name}-path", str(folder / name))]

    def make(self, name, *options):
        made = subprocess.run([self.program, "new", name, *options], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        expect(f"Next:\n  cd {name}\n  swift run " in made and "\n  euripus dev " in made, f"'new {name}' says what comes next", made)
        return self.folder / name

    def swift(self, package, *arguments):
        """Runs SwiftPM, which has to succeed, and not to warn of anything."""
        ended = subprocess.run(
            ["swift", arguments[0], *self.options, *arguments[1:]], cwd=package, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=BUILD_LIMIT)
        if ended.returncode or "warning:" in ended.stdout:
            raise SystemExit(f"'swift {' '.join(arguments)}' failed, or warned, in {package.name}:\n{ended.stdout[-4000:]}")
        print(f"  {package.name}: swift {' '.join(arguments)}", flush=True)

    def serves_its_page(self, package, root):
        """`swift run` serves the page of the folder `Public`, with the client beside it."""
        running = subprocess.Popen(
            ["swift", "run", *self.options, "--skip-build"], cwd=package, env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            line = running.stdout.readline()
            expect("Euripus is serving 1 view model on http://127.0.0.1:" in line, f"'swift run' of {package.name} prints its address", line)
            address = line.split()[-1]
            page = urllib.request.urlopen(address, timeout=LIMIT).read().decode()
            expect(f'data-vm-root="{root}"' in page, "and serves its page", page)
            script = urllib.request.urlopen(f"{address}euripus.js", timeout=LIMIT).read()
            expect(script == (ROOT / "Public/euripus.js").read_bytes(), "with the client's script", script[:80])
        finally:
            running.terminate()
            running.wait(LIMIT)


def main():
    with tempfile.TemporaryDirectory(dir=ROOT / ".build") as name:
        making = Making(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(name))
        shop = making.make("corner-shop")
        making.swift(shop, "build", "--build-tests")
        making.swift(shop, "test", "--skip-build")
        story = subprocess.run(["Tests/story.sh", making.built / "debug/CornerShop"], cwd=shop, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
        expect(story.returncode == 0, "corner-shop: Tests/story.sh", story.stderr)
        making.serves_its_page(shop, "shopping")
        counter = making.make("counter", "--minimal")
        making.swift(counter, "build", "--build-tests")
        making.swift(counter, "test", "--skip-build")
        making.serves_its_page(counter, "counter")


if __name__ == "__main__":
    main()
