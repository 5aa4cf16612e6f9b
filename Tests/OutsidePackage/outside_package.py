# SPDX-License-Identifier: MIT
"""Tests the release build of a package outside this one: Examples/Todo. It has the commands and settings of an app,
takes its port from the environment, and keeps its state when the server is killed.

Usage: outside_package.py PROGRAM
The program is started in the folder that has its Public.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "Examples" / "Todo"
sys.path.append(str(ROOT / "Tests" / "Nodes"))

from proxied import Client  # noqa: E402


def expect(is_met, claim, found):
    if not is_met:
        raise SystemExit(f"not so: {claim}; found {found!r}")
    print(f"  {claim}", flush=True)


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def guide_lines():
    """The lines of curl that the guide of the first ten minutes shows for this package."""
    guide = (ROOT / "Sources/Euripus/Euripus.docc/TenMinutes.md").read_text(encoding="utf-8")
    return next(block for block in guide.split("```sh\n")[1:] if block.startswith("S=http://")).split("```")[0]


def follows_guide(port, folder):
    script = "set -eu\n" + guide_lines().replace("127.0.0.1:8080", f"127.0.0.1:{port}") + "curl -sb jar $S\n"
    told = subprocess.run(["bash", "-c", script], cwd=folder, check=True, capture_output=True, text=True).stdout
    state = json.loads(told[told.rindex('{"model"'):])["state"]
    expect(
        state["items"]["items"]["1"] == {"text": "Buy milk", "done": True} and state["left"] == 0,
        "the lines of curl in the guide add an item and tick it off", told)


def server_of(supervisor):
    """The process that serves, a child of the one that was started."""
    children = pathlib.Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text(encoding="ascii").split()
    return int(children[0])


def survives(program, folder):
    command = [program, "serve", "--supervise", "--store", os.path.join(folder, "todo.db")]
    with open(os.path.join(folder, "log"), "wb") as log:
        process = subprocess.Popen(
            command, cwd=PACKAGE, env={**os.environ, "EURIPUS_PORT": "0"}, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        line = process.stdout.readline()
        port = int(line.rstrip().rstrip("/").rsplit(":", 1)[1])
        expect(port not in (0, 8080), "EURIPUS_PORT=0 serves at a free port, and says at which", line)
        client = Client(port)
        client.open("todo")
        client.ask("PUT", f"{client.url}/state/draft", '"milk"', Idempotency_Key="w/1")
        status, text, _ = client.ask("POST", f"{client.url}/actions/add", Idempotency_Key="w/2")
        expect(status == 200, "an action is acknowledged", (status, text))
        killed = server_of(process.pid)
        os.kill(killed, signal.SIGKILL)
        # The supervisor keeps the socket, so this waits for the next server.
        status, state = client.at(port).state()
        expect(status == 200 and state["left"] == 1, "it is there after kill -9", (status, state))
        expect(server_of(process.pid) != killed, "another process serves", killed)
        # Without the key this would be one more item.
        client = client.at(port)
        client.ask("PUT", f"{client.url}/state/draft", '"eggs"', Idempotency_Key="x/1")
        status, text, _ = client.ask("POST", f"{client.url}/actions/add", Idempotency_Key="w/2")
        _, state = client.state()
        expect(
            status == 200 and state["left"] == 1, "the action with the same key is answered, and not done again",
            (status, text, state))
        follows_guide(port, folder)
        process.terminate()
        expect(process.wait(30) == 0, "SIGTERM ends it with status 0", process.returncode)
    finally:
        if process.poll() is None:
            process.kill()


def prints_types(program):
    for language, sign in (("--typescript", "export"), ("--swift", "enum")):
        text = output(program, "types", "todo", language)
        expect(sign in text and "draft" in text, f"types todo {language} prints its types", text)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    name = os.path.basename(program)
    print(f"{name}, a package outside this one, built for release:", flush=True)
    overview = output(program, "--help")
    expect(f"USAGE: {name} <subcommand>" in overview, "--help has its commands under its own name", overview)
    settings = output(program, "serve", "--help")
    expect("EURIPUS_PORT" in settings and "--store" in settings, "serve --help has its settings", settings)
    prints_types(program)
    expect(output(program, "--version").startswith("Euripus "), "--version says that of Euripus", "")
    with tempfile.TemporaryDirectory() as folder:
        survives(program, folder)


if __name__ == "__main__":
    main()
