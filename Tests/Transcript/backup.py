#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the commands of the guide on deploying that back a store up and put it back, and asks for the session in it.

Usage: EURIPUS_BIN=path/to/euripus backup.py

The binary and a temporary directory stand in for the guide's program and its directories. In the place of its service
runs a server that the script starts and stops where the guide says `systemctl`.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

sys.dont_write_bytecode = True

from readme import section  # noqa: E402
from server import serving  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/Euripus/Euripus.docc/Deploying.md"
HEADING = "Back it up, and put it back"


def shell_blocks() -> list[list[str]]:
    """The lines of each shell block under the heading."""
    blocks, is_open = [], False
    for _, line in section(GUIDE.read_text(), HEADING):
        if line == "```sh":
            blocks.append([])
            is_open = True
        elif line == "```":
            is_open = False
        elif is_open:
            blocks[-1].append(line)
    return blocks


def ask(method: str, url: str, token: str | None, value: object = None) -> dict:
    fields = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, None if value is None else json.dumps(value).encode(), fields, method=method)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def main(binary: Path) -> None:
    save, restore = shell_blocks()
    assert restore[0] == "systemctl stop todo" and restore[-1] == "systemctl start todo", f"the guide has {restore}"
    with tempfile.TemporaryDirectory() as directory:
        state, backup = Path(directory) / "state", Path(directory) / "backup"
        state.mkdir()
        backup.mkdir()

        def run(lines: list[str]) -> None:
            text = "\n".join(lines).replace("/var/lib/todo", str(state)).replace("/backup", str(backup)).replace("Todo ", f"{binary} ")
            subprocess.run(["bash", "-euc", text], check=True)

        options = ("--store", f"{state}/sessions.db")
        with serving(binary, ROOT / "Public", options) as url:
            opened = ask("POST", f"{url}/sessions/login", None, {"auth": "bearer"})
            session, token = opened["url"], opened["token"]
            ask("PUT", f"{url}{session}/state/username", token, "before")
            run(save)
            ask("PUT", f"{url}{session}/state/username", token, "behind")
        run(restore[1:-1])
        with serving(binary, ROOT / "Public", options) as url:
            name = ask("GET", f"{url}{session}", token)["state"]["username"]
    assert name == "before", f"expected the session as it was backed up, with 'before'; got '{name}'"
    print("a store was backed up while its server ran, and put back")


if __name__ == "__main__":
    main(Path(os.environ["EURIPUS_BIN"]).resolve())
