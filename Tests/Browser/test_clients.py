# SPDX-License-Identifier: MIT
"""The programs of "Write your own client" do what the page says, and the page shows their sources."""

import http.client
import json
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import LIMIT, ROOT, Server
from test_uploads import PIXEL

CLIENTS = ROOT / "Examples" / "Clients"
SWIFT = CLIENTS / "Swift" / "Sources"
NAMES = ["JavaScript/follow.mjs", "Python/follow.py", "Swift/Sources/Follow/main.swift"]
SHOWN = [*NAMES, "JavaScript/client.js", "Python/euripus_client.py", "Swift/Sources/EuripusClient/RemoteSession.swift"]


@pytest.fixture(scope="session", params=NAMES)
def command(request, tmp_path_factory):
    source = CLIENTS / request.param
    if source.suffix == ".swift":
        folder = tmp_path_factory.mktemp("client")
        swiftc = ["swiftc", "-swift-version", "6"]
        module = ["-module-name", "EuripusClient", "-parse-as-library", "-wmo", "-c", "-o", folder / "client.o"]
        files = sorted((SWIFT / "EuripusClient").glob("*.swift"))
        emitted = ["-emit-module", "-emit-module-path", folder / "EuripusClient.swiftmodule"]
        subprocess.run([*swiftc, *module, *emitted, *files], check=True)
        program = folder / "follow"
        subprocess.run([*swiftc, "-I", folder, source, folder / "client.o", "-o", program], check=True)
        return [program]
    return ["node" if source.suffix == ".mjs" else sys.executable, source]


@contextmanager
def dying(binary, store):
    """The URL of a proxy, and the requests that it has seen. Its server dies before it answers the first action, and
    another server takes its place, on the same store."""
    seen = {"server": Server(binary, store=store), "actions": 0, "last": None}

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def relay(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            # The proxy reads the answers, so they are not to be compressed.
            own = ("host", "connection", "accept-encoding")
            fields = {name: value for name, value in self.headers.items() if name.lower() not in own}
            server = http.client.HTTPConnection("127.0.0.1", seen["server"].port, timeout=LIMIT)
            server.request(self.command, self.path, body or None, fields)
            answer = server.getresponse()
            text = answer.read()
            if "/actions/" in self.path:
                seen["actions"] += 1
                if seen["actions"] == 1:
                    seen["server"].kill()
                    seen["server"] = Server(binary, seen["server"].port, store=store)
                    self.close_connection = True
                    return
            if text:
                seen["last"] = json.loads(text)
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "date"):
                    self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = relay

        def log_message(self, *_):
            pass

    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{proxy.server_port}", seen
    finally:
        proxy.shutdown()
        seen["server"].kill()


def test_a_client_follows_a_command_until_it_is_over(command, url):
    run = subprocess.run([*command, url.rstrip("/")], capture_output=True, text=True, timeout=LIMIT)
    assert run.returncode == 0, run.stderr
    before, after = [line.split(", ") for line in run.stdout.splitlines()]
    assert len(before) == 4 and len(after) == 8
    assert set(before) < set(after)
    assert after == sorted(after)


def test_a_client_asks_again_after_its_server_died_before_it_answered_and_shows_the_state(command, binary, tmp_path):
    with dying(binary, tmp_path / "sessions.db") as (url, seen):
        run = subprocess.run([*command, url], capture_output=True, text=True, timeout=LIMIT)
        assert run.returncode == 0, run.stderr
        assert seen["actions"] == 2
        before, after = [line.split(", ") for line in run.stdout.splitlines()]
        # The command was interrupted, and is not run again by itself.
        assert len(before) == 4 and after == before
        assert seen["last"]["state"]["suggest"]["error"]["type"] == "interrupted"


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_the_program_as_it_is(context, url, name):
    page = context.new_page()
    page.goto(url + "client.html")
    licence, program = (CLIENTS / name).read_text().replace("http://127.0.0.1:8080", url.rstrip("/")).split("\n", 1)
    assert "SPDX" in licence
    assert page.locator("#" + name.split("/")[-1].replace(".", "-")).text_content().strip() == program.strip()


@pytest.mark.parametrize("name", ["index", "client"])
def test_the_commands_on_a_page_name_the_server_that_it_came_from(context, url, name):
    page = context.new_page()
    page.goto(f"{url}{name}.html")
    named = [each for code in page.locator("pre code").all_text_contents() for each in re.findall(r"http://[^/$\s]+", code)]
    assert named and set(named) == {url.rstrip("/")}


FILES_IN_JAVASCRIPT = """
import { open } from "%(clients)s/JavaScript/client.js";
import { download, upload } from "%(clients)s/JavaScript/files.js";
const session = await open("%(url)s", "cookbook");
const key = await upload(session, "photos", new Blob([Buffer.from("%(file)s", "hex")], { type: "image/gif" }), { name: "Möwe.gif" });
await session.perform("writeList");
const list = await (await download(session, session.state.list.url)).text();
console.log(JSON.stringify([session.state.photos.files.items[key], list]));
"""

FILES_IN_PYTHON = """
import io, json, sys
sys.path.insert(0, "%(clients)s/Python")
from euripus_client import Session
from euripus_files import download, upload
session = Session("%(url)s", "cookbook")
key = upload(session, "photos", io.BytesIO(bytes.fromhex("%(file)s")), "Möwe.gif", "image/gif")
session.perform("writeList")
list = download(session, session.state["list"]["url"]).decode()
print(json.dumps([session.state["photos"]["files"]["items"][key], list]))
"""


@pytest.mark.parametrize("command, source", [
    (["node", "--input-type=module", "--eval"], FILES_IN_JAVASCRIPT), ([sys.executable, "-B", "-c"], FILES_IN_PYTHON)])
def test_the_clients_send_and_fetch_files(url, command, source):
    source %= {"clients": CLIENTS, "url": url, "file": PIXEL.hex()}
    done = subprocess.run([*command, source], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr
    row, boats = json.loads(done.stdout)
    assert (row["name"], row["size"], row["ready"], row["error"]) == ("Möwe.gif", len(PIXEL), True, None)
    assert boats.startswith("Aurora, 12 m\n")
