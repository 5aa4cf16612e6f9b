# SPDX-License-Identifier: MIT
"""Runs the commands of the guides, as their readers would, with a program of the reader's own.

Places differ: a folder of the test stands for /var/lib, /usr and /backup, a free port for 8080, and a database of the
test for that of the guide. The release build of the program stands for 'swift run', and signals for systemctl.
"""

import json
import os
import re
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from guide import block, replaced, text, words
from program import LIMIT, PACKAGE, Client, Running, expect, make_database, reserved_port, run


def follows_ten_minutes(program, folder):
    lines = block("TenMinutes", "sh", "S=http")
    with Running([program], folder) as running:
        told = run(replaced(lines, {"127.0.0.1:8080": f"127.0.0.1:{running.port}"}) + "curl -sb jar $S\n", folder)
    state = json.loads(told[told.rindex('{"model"'):])["state"]
    expect(
        state["items"]["items"]["1"] == {"text": "Buy milk", "done": True} and state["left"] == 0,
        "the ten minutes' lines of curl add an item and tick it off", told)


def follows_the_image(program, folder):
    image = block("TenMinutes", "", "FROM swift")
    build = block("TenMinutes", "sh", "swift build").strip()
    expect(build in image and build == block("Deploying", "sh", "swift build").strip(), "the image and the guides build alike", build)
    command = json.loads(re.search(r"^CMD (.*)$", image, re.MULTILINE)[1])
    places = {"/usr/share/todo/Public": PACKAGE / "Public", "/var/lib/todo": folder}
    command = [replaced(each, {place: places[place] for place in places if place in each}) for each in command[1:]]
    with Running([program, *command], folder) as running:
        status, page, _ = running.client.ask("GET", "/")
        expect(status == 200 and b"data-vm-root" in page, "the image's command serves the page", (status, page))
        running.client.open("todo")
        expect(os.path.exists(f"{folder}/sessions.db"), "the image's command has its store", os.listdir(folder))


def follows_the_console(program, folder):
    _, _, _, *options = words(replaced(block("Console", "sh", "swift run Todo"), {"/tmp/todo.db": f"{folder}/todo.db"}))
    command = [program, *options]
    with Running(command, folder) as running:
        running.client.open("todo")
        running.add("milk", "w")
        _, _, fields = running.client.ask("GET", running.client.url)
        expect(fields["Euripus-Development"] is not None, "the line with --dev tells pages that their author looks", list(fields))
        running.stop()
    with Running(command, folder) as again:
        # The cookie's name has the port of the first server.
        again.client = running.client.at(again.port)
        left = again.left()
        expect(left == 1, "a page goes on after a new start of that line", left)


def follows_other_languages(program, folder):
    lines = block("OtherLanguages", "sh", "euripus types")
    run(replaced(lines, {"euripus types": f"{program} types"}), folder)
    for name, sign in (("todo.ts", "export"), ("RemoteTodo.swift", "import")):
        types = Path(folder, name).read_text(encoding="utf-8")
        expect(sign in types and "draft" in types, f"the line of the types makes {name}", types)


def has_ended(descriptor):
    """Waits until a process has ended that is no child of this one. Its pidfd tells that."""
    return bool(select.select([descriptor], [], [], LIMIT)[0])


def follows_deploying(program, folder):
    binary = Path(folder, "bin", "Todo")
    Path(folder, "backup").mkdir()
    Path(folder, "todo").mkdir()
    binary.parent.mkdir()
    shutil.copy(program, binary)
    places = {"/usr/local/bin/Todo": binary, "/usr/share/todo/Public": PACKAGE / "Public", "%S/todo": f"{folder}/todo"}
    service = replaced(block("Deploying", "ini", "[Service]"), places)
    unit = Path(folder, "todo.service")
    unit.write_text(service, encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    expect(found.returncode == 0 and "todo.service" not in found.stderr, "systemd understands the unit", found)
    settings = dict(re.findall(r"^(Exec\w+)=((?:.*\\\n)*.*)$", service, re.MULTILINE))
    command = words(settings["ExecStart"])
    with Running(command, folder, reserved_port()) as running:
        client = running.client
        status, _, fields = Client(running.port, LIMIT).ask("POST", "/sessions/todo", Host="app.example", X_Forwarded_Proto="https")
        expect(status == 201 and "Secure" in fields["Set-Cookie"], "the unit's server believes its proxy", (status, dict(fields)))
        status, _, _ = Client(running.port, LIMIT).ask("POST", "/sessions/todo", Host="other.example")
        expect(status == 421, "and refuses a name that is not its own", status)
        questions = re.findall(r"`Todo (health[^`]*)`", text("Deploying"))
        expect(len(questions) == 2, "two questions ask for its health", questions)
        for question in questions:
            run(f"{binary} {question}", folder, EURIPUS_PORT=str(running.port))
        client.open("todo")
        running.add("milk", "w")
        store = {"/var/lib/todo/": f"{folder}/todo/", "/backup/": f"{folder}/backup/"}
        told = run(replaced(block("Deploying", "sh", "sqlite3"), store), folder, PATH=f"{binary.parent}:{os.environ['PATH']}")
        expect(" is whole: sessions living 2" in told, "a server that runs is backed up, and the back-up is whole", told)
        running.add("eggs", "x")
        # The new version.
        shutil.copy(program, f"{folder}/Todo.new")
        upgrade = re.search(r"`(mv Todo.new [^`]*)`", text("Deploying"))[1]
        old = os.pidfd_open(running.server())
        run(replaced(upgrade, {"/usr/local/bin/Todo": binary}), folder)
        run(settings["ExecReload"], folder, MAINPID=str(running.process.pid))
        expect(has_ended(old), "the old server ends after ExecReload", running.log.read_text())
        os.close(old)
        # The old server's connections ended with it.
        running.client = client.at(running.port)
        left = running.left()
        expect(left == 2, "the new one has its sessions, at the same port", left)
        # The back-up is put back.
        stop, *lines, start = block("Deploying", "sh", "systemctl stop").splitlines(keepends=True)
        expect((stop, start) == ("systemctl stop todo\n", "systemctl start todo\n"), "to restore stops and starts the service", (stop, start))
        status = running.stop()
        expect(status == 0, "the service stops with status 0", status)
        run(replaced("".join(lines), store), folder)
    with Running(command, folder, port=running.port) as again:
        again.client = client.at(again.port)
        left = again.left()
        expect(left == 1, "its sessions are then those of the back-up", left)
        again.stop()


def with_nodes(folder):
    """The example with the product and the Swift that Deploying.md adds for several machines. The modules that it shares with
    the example are built once."""
    package = Path(folder, "todo")
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns(".build"))
    product = re.search(r"`(\.product\(name: \"EuripusNodes\".*?\))`", text("Deploying"))[1]
    beside = '.product(name: "EuripusApp", package: "euripus")'
    manifest = Path(package, "Package.swift")
    lines = replaced(manifest.read_text(encoding="utf-8"), {beside: f"{beside}, {product}", '"../.."': f'"{PACKAGE.parent.parent}"'})
    manifest.write_text(lines, encoding="utf-8")
    Path(package, "Sources/Todo/TodoApp.swift").write_text(block("Deploying", "swift", "import EuripusApp"), encoding="utf-8")
    build = block("Deploying", "sh", "swift build").strip()
    run(f"{build} --package-path {package} --scratch-path {PACKAGE / '.build'}", folder)
    return shutil.copy(PACKAGE / ".build/release/Todo", Path(folder, "Todo"))


def follows_several_machines(program, folder):
    refused = subprocess.run([program, "serve", "--store", "postgres://db/todo"], capture_output=True, text=True)
    expect(refused.returncode == 64 and "EuripusNodes" in refused.stderr, "an app without the product names it", refused)
    program = with_nodes(folder)
    place = f"@/todo?host={quote(make_database('todo'), safe='')}"
    migrate, serve = replaced(block("Deploying", "sh", "Todo store migrate"), {"@db/todo": place}).splitlines()
    told = run(migrate.replace("Todo", str(program), 1), folder)
    expect("format" in told, "store migrate makes the tables", told)
    commands = []
    for port in (reserved_port(), reserved_port()):
        _, *options = words(replaced(serve, {"10.8.0.11:8080": f"127.0.0.1:{port}"}))
        commands.append(([program, *options], port))
    with Running(commands[0][0], folder, commands[0][1]) as first, Running(commands[1][0], folder, commands[1][1]) as second:
        first.client.open("todo")
        first.add("milk", "w")
        second.client = first.client.at(second.port)
        left = second.left()
        expect(left == 1, "the line with --node-url shares its sessions with another server", left)
        status = first.stop()
        expect(status == 0, "one of them stops with status 0", status)
        left = second.left()
        expect(left == 1, "and the other has its sessions", left)
        second.stop()


def follow(program):
    for follows in (
        follows_ten_minutes, follows_the_image, follows_the_console, follows_other_languages, follows_deploying, follows_several_machines,
    ):
        with tempfile.TemporaryDirectory() as folder:
            follows(program, folder)
