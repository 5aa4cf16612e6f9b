# SPDX-License-Identifier: MIT
"""Runs the commands of the guides, as their readers would, with a program of the reader's own. Only places differ: a
folder of the test stands for /var/lib, /usr and /backup, a free port for 8080, and a database of the test for that of
the guide."""

import json
import os
import re
import select
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from program import GUIDES, PACKAGE, Client, Running, block, expect, replaced, run

from node import free_port


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
    needed = subprocess.run(["objdump", "-p", program], check=True, capture_output=True, text=True).stdout
    libraries = re.findall(r"NEEDED +(\S+)", needed)
    packages = set()
    for library in libraries:
        found = subprocess.run(["dpkg", "-S", f"*/{library}"], check=True, capture_output=True, text=True).stdout
        packages.add(found.split(":")[0])
    installed = set(re.search(r"--no-install-recommends (libmicrohttpd12.*?) *\\", image)[1].split())
    brought = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Depends},", *installed, "apt"], check=True, capture_output=True, text=True).stdout
    # Each image of Debian has apt.
    missing = packages - installed - set(re.findall(r"[a-z][a-z0-9.+-]+", brought))
    expect(not missing, "the image installs the packages of all libraries that the program names", missing)
    command = json.loads(re.search(r"^CMD (.*)$", image, re.MULTILINE)[1])
    places = {"/usr/share/todo/Public": PACKAGE / "Public", "/var/lib/todo": folder}
    command = [replaced(each, {place: places[place] for place in places if place in each}) for each in command[1:]]
    with Running([program, *command], folder) as running:
        status, page, _ = running.client.ask("GET", "/")
        expect(status == 200 and b"data-vm-root" in page, "the image's command serves the page", (status, page))
        running.client.open("todo")
        expect(os.path.exists(f"{folder}/sessions.db"), "the image's command has its store", os.listdir(folder))


def follows_the_console(program, folder):
    words = shlex.split(replaced(block("Console", "sh", "swift run"), {"/tmp/todo.db": f"{folder}/todo.db"}))
    command = [program, *words[words.index("Todo") + 1:]]
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
        text = Path(folder, name).read_text(encoding="utf-8")
        expect(sign in text and "draft" in text, f"the line of the types makes {name}", text)


def waits_for_the_end(process):
    """Opens a process that is no child of this one, to wait for its end."""
    descriptor = os.pidfd_open(process)

    def wait(seconds):
        ended, _, _ = select.select([descriptor], [], [], seconds)
        os.close(descriptor)
        return bool(ended)

    return wait


def follows_deploying(program, folder):
    binary = Path(folder, "bin", "Todo")
    Path(folder, "backup").mkdir()
    Path(folder, "todo").mkdir()
    binary.parent.mkdir()
    shutil.copy(program, binary)
    places = {"/usr/local/bin/Todo": binary, "/usr/share/todo/Public": PACKAGE / "Public", "%S/todo": f"{folder}/todo"}
    text = replaced(block("Deploying", "ini", "[Service]"), places)
    unit = Path(folder, "todo.service")
    unit.write_text(text, encoding="utf-8")
    found = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    expect(found.returncode == 0 and "todo.service" not in found.stderr, "systemd understands the unit", found)
    settings = dict(re.findall(r"^(Exec\w+)=(.*)$", text.replace("\\\n", " "), re.MULTILINE))
    command = shlex.split(settings["ExecStart"])
    with Running(command, folder) as running:
        client = running.client
        status, _, fields = Client(running.port).ask("POST", "/sessions/todo", Host="app.example", X_Forwarded_Proto="https")
        expect(status == 201 and "Secure" in fields["Set-Cookie"], "the unit's server believes its proxy", (status, dict(fields)))
        status, _, _ = Client(running.port).ask("POST", "/sessions/todo", Host="other.example")
        expect(status == 421, "and refuses a name that is not its own", status)
        for question in ("health", "health --ready"):
            run(f"{binary} {question}", folder, EURIPUS_PORT=str(running.port))
        client.open("todo")
        running.add("milk", "w")
        store = {"/var/lib/todo/": f"{folder}/todo/", "/backup/": f"{folder}/backup/"}
        told = run(replaced(block("Deploying", "sh", "sqlite3"), store), folder, PATH=f"{binary.parent}:{os.environ['PATH']}")
        expect(" is whole: sessions living 2" in told, "a server that runs is backed up, and the back-up is whole", told)
        running.add("eggs", "x")
        # The new version.
        ended = waits_for_the_end(running.server())
        shutil.copy(program, f"{folder}/Todo.new")
        upgrade = re.search(r"`(mv Todo.new [^`]*)`", Path(GUIDES, "Deploying.md").read_text(encoding="utf-8"))[1]
        run(replaced(upgrade, {"/usr/local/bin/Todo": binary}), folder)
        run(settings["ExecReload"], folder, MAINPID=str(running.process.pid))
        expect(ended(30), "the old server ends after ExecReload", "a server that goes on")
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


def follows_several_machines(program, folder):
    database = os.environ.get("TEST_POSTGRESQL")
    if not database:
        raise SystemExit("expected TEST_POSTGRESQL: run it by Scripts/with-postgresql.sh")
    host = dict(word.split("=", 1) for word in shlex.split(database))["host"]
    roles = (PACKAGE.parent / "Scaling" / "roles.sql").read_text(encoding="utf-8")
    passwords = {"EURIPUS_OWNER_PASSWORD": "owner's", "EURIPUS_SERVER_PASSWORD": "server's"}
    subprocess.run(
        ["psql", "-qX", "-v", "ON_ERROR_STOP=1", database], input=replaced(roles, {"euripus": "todo"}), text=True, check=True,
        env={**os.environ, **passwords})
    migrate, serve = replaced(
        block("Deploying", "sh", "Todo store migrate"), {"@db/todo": f"@/todo?host={quote(host, safe='')}"}).splitlines()
    told = run(migrate.replace("Todo", str(program), 1), folder)
    expect("format" in told, "store migrate makes the tables", told)
    commands = []
    for port in (free_port(), free_port()):
        words = shlex.split(replaced(serve, {"10.8.0.11:8080": f"127.0.0.1:{port}"}))
        commands.append(([program, *words[1:]], port))
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
