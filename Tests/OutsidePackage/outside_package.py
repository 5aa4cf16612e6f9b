# SPDX-License-Identifier: MIT
"""Tests the release build of a package outside this one: Examples/Todo. It has the commands and settings of an app,
takes its port from the environment, and keeps its state when the server is killed. Then runs the commands of the
guides with it.

Usage: with-postgresql.sh outside_package.py PROGRAM
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import guides
from program import Running, expect


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def has_the_commands_of_an_app(program):
    name = program.name
    overview = output(program, "--help")
    expect(f"USAGE: {name} <subcommand>" in overview, "--help has its commands under its own name", overview)
    settings = output(program, "serve", "--help")
    expect("EURIPUS_PORT" in settings and "--store" in settings, "serve --help has its settings", settings)
    version = output(program, "--version")
    expect(version.startswith("Euripus "), "--version says that of Euripus", version)


def survives(program):
    with tempfile.TemporaryDirectory() as folder:
        with Running([program, "serve", "--supervise", "--store", f"{folder}/todo.db"], folder) as running:
            expect(running.port not in (0, 8080), "EURIPUS_PORT=0 serves at a free port, and says at which", running.line)
            running.client.open("todo")
            status, text, _ = running.add("milk", "w")
            expect(status == 200, "an action is acknowledged", (status, text))
            killed = running.server()
            os.kill(killed, signal.SIGKILL)
            # The supervisor keeps the socket, so this waits for the next server.
            running.client = running.client.at(running.port)
            left = running.left()
            expect(left == 1, "it is there after kill -9", left)
            expect(running.server() != killed, "another process serves", killed)
            running.client.ask("PUT", f"{running.client.url}/state/draft", '"eggs"', Idempotency_Key="x/1")
            # Without the key this would be one more item.
            status, text, _ = running.client.ask("POST", f"{running.client.url}/actions/add", Idempotency_Key="w/2")
            left = running.left()
            expect(status == 200 and left == 1, "the action with the same key is answered, and not done again", (status, text, left))
            status = running.stop()
            expect(status == 0, "SIGTERM ends it with status 0", status)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    print(f"{program.name}, a package outside this one, built for release:", flush=True)
    has_the_commands_of_an_app(program)
    survives(program)
    guides.follow(program)


if __name__ == "__main__":
    main()
