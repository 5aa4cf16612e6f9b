# SPDX-License-Identifier: MIT
"""Tests Examples/Bucket beside moto's server, which speaks S3: files go from clients to the bucket, and the app takes them.

Usage: bucket.py PROGRAM [SCREENSHOT]
"""

import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from unittest import mock

import boto3
import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from playwright.sync_api import expect as expect_of
from playwright.sync_api import sync_playwright
from program import ROOT, expect

sys.path += [str(ROOT / "Tests" / "Faults"), str(ROOT / "Examples" / "Clients" / "Python")]

from client import Client  # noqa: E402
from euripus_client import Session  # noqa: E402
from euripus_files import upload  # noqa: E402
from processes import accepts, ends_with_its_parent, free_port, until  # noqa: E402

KEYS = {"AWS_ACCESS_KEY_ID": "reader", "AWS_SECRET_ACCESS_KEY": "secret/+word"}
FILM = b"\x1a\x45\xdf\xa3" + bytes(range(256)) * 20_000
PART = {"Content-Type": "application/partial-upload"}


class Store:
    """moto's server, with one bucket."""

    def __init__(self):
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-p", str(self.port)], stderr=subprocess.DEVNULL, preexec_fn=ends_with_its_parent)
        until(lambda: accepts(self.port), "the store", self.process)
        self.bucket = boto3.client("s3", endpoint_url=self.origin, region_name="us-east-1")
        self.bucket.create_bucket(Bucket="films")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def film(self, name):
        return self.bucket.get_object(Bucket="films", Key=name)["Body"].read()


class App:
    """The example, with its sessions in a file."""

    def __init__(self, program, folder, store):
        self.command = [
            program, "--public", f"{folder}/Public", "--store", f"{folder}/films.db", "--bucket-url", f"{store.origin}/films",
            "--access-key", KEYS["AWS_ACCESS_KEY_ID"]]
        self.port, self.log = free_port(), f"{folder}/log"
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "--port", str(self.port)], stdout=subprocess.PIPE, stderr=log, text=True, preexec_fn=ends_with_its_parent,
                env={**os.environ, "BUCKET_SECRET_KEY": KEYS["AWS_SECRET_ACCESS_KEY"]})
        line = self.process.stdout.readline()
        expect("is serving" in line, "the app serves", line)

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait()


class Shelf(Client):
    """A client of the app's view model."""

    def __init__(self, app):
        super().__init__(app.port)
        self.open("films")

    @property
    def films(self):
        return self.state()[1]["arriving"]["files"]["items"]

    def declare(self, key, size=len(FILM)):
        fields = {"Upload-Complete": "?0", "Upload-Length": str(size), "Content-Type": "video/webm"}
        status, answer, _ = self.ask("PUT", f"{self.url}/uploads/arriving/{key}", b"", **fields)
        expect(status == 200, f"{key} is declared, and the answer has an address", (status, answer))
        return json.loads(answer)

    def tell(self, key, count=len(FILM), isover="?1"):
        fields = {"Upload-Offset": str(count), "Upload-Complete": isover, **PART}
        return self.ask("PATCH", f"{self.url}/uploads/arriving/{key}", b"", **fields)[0]

    def keep(self):
        status, answer, _ = self.ask("POST", f"{self.url}/actions/keep")
        expect(status in (200, 202), "'keep' begins", (status, answer))
        until(lambda: not self.state()[1]["keep"]["executing"], "'keep' to end")
        return self.state()[1]

    def fetch(self, key):
        status, answer, _ = self.ask("POST", f"{self.url}/actions/fetch", json.dumps(key))
        expect(status == 200, "'fetch' is done", (status, answer))
        return json.loads(answer)["location"]


def send(address, body=FILM):
    """Sends a file to its address. Gives the status."""
    try:
        return urllib.request.urlopen(urllib.request.Request(address["url"], body, address["fields"], method="PUT")).status
    except urllib.error.HTTPError as error:
        return error.code


def signed(url, method, fields):
    """The URL as botocore signs it."""
    parts = urllib.parse.urlsplit(url)
    query = dict(urllib.parse.parse_qsl(parts.query))
    wanted = {name: value for name, value in query.items() if not name.startswith("X-Amz-")}
    bare = parts._replace(query=urllib.parse.urlencode(wanted, quote_via=urllib.parse.quote)).geturl()
    request = AWSRequest(method, bare, headers=fields)
    now = datetime.datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    with mock.patch.object(botocore.auth, "get_current_datetime", lambda: now):
        botocore.auth.S3SigV4QueryAuth(Credentials(*KEYS.values()), "s3", "us-east-1", int(query["X-Amz-Expires"])).add_auth(request)
    return query["X-Amz-Signature"], dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(request.url).query))["X-Amz-Signature"]


def keeps_a_film(app, store):
    shelf = Shelf(app)
    address = shelf.declare("sea.webm")
    ours, theirs = signed(address["url"], "PUT", {**address["fields"], "content-length": str(len(FILM))})
    expect(ours == theirs, "the address is signed as botocore signs it", (ours, theirs))
    expect(send(address) == 200, "the bucket takes the film", None)
    expect(send(address) == 412, "it takes nothing else at that address", None)
    expect(shelf.tell("sea.webm", 1000, "?0") == 204 and shelf.films["sea.webm"]["received"] == 1000, "the state shows its progress", shelf.films)
    expect(shelf.tell("sea.webm") == 204 and shelf.films["sea.webm"]["ready"], "it is ready", shelf.films)
    [(key, film)] = shelf.keep()["kept"]["items"].items()
    expect(film == {"name": "sea.webm", "size": len(FILM)} and shelf.films == {}, "it is kept", film)
    expect(store.film(f"kept/{key}") == FILM, "the bucket has its bytes", key)
    link = shelf.fetch(key)
    ours, theirs = signed(link, "GET", {})
    expect(ours == theirs, "the link is signed as botocore signs it", (ours, theirs))
    with urllib.request.urlopen(link) as answer:
        named = answer.headers["Content-Disposition"]
        expect(answer.read() == FILM and named == "attachment; filename*=UTF-8''sea.webm", "the link leads to it, as a file to keep", named)
    return shelf


def refuses_what_did_not_arrive(app, store):
    shelf = Shelf(app)
    shelf.declare("none.webm")
    expect(shelf.tell("none.webm") == 400 and not shelf.films["none.webm"]["ready"], "a film that is not there is refused", shelf.films)
    address = shelf.declare("long.webm", 10)
    expect(send(address) == 200 and shelf.tell("long.webm", 10) == 400, "one that is longer than declared is refused", shelf.films)
    expect("not arrived" in shelf.films["long.webm"]["error"], "its row says so", shelf.films)
    expect(shelf.ask("DELETE", f"{shelf.url}/uploads/arriving/long.webm")[0] == 204, "it is taken away", None)
    address = shelf.declare("gone.webm")
    expect(send(address) == 200 and shelf.tell("gone.webm") == 204, "one arrives", shelf.films)
    name = re.search(r"arriving/(\w+)", address["url"])[1]
    store.bucket.delete_object(Bucket="films", Key=f"arriving/{name}")
    state = shelf.keep()
    expect(state["lost"] == ["gone.webm"] and not state["kept"]["items"], "one that the bucket has removed is told, and not kept", state)


def survives_a_kill(app):
    shelf = Shelf(app)
    address = shelf.declare("night.webm")
    expect(send(address) == 200, "the bucket takes a film", None)
    app.end(signal.SIGKILL)
    app.start()
    expect(shelf.tell("night.webm") in (0, 204) and shelf.tell("night.webm") == 204, "another life of the server is told", None)
    expect(shelf.films["night.webm"]["ready"], "it is ready", shelf.films)


def waits_for_the_store(app, store):
    shelf = Shelf(app)
    address = shelf.declare("storm.webm")
    store.kill()
    expect(shelf.tell("storm.webm") == 502, "a store that is gone is told as 502", None)
    log = pathlib.Path(app.log).read_text()
    expect("the store for uploads failed" in log and "X-Amz-Signature" not in log, "and in the log, without the signed address", log)
    store.start()
    expect(send(address) == 200 and shelf.tell("storm.webm") == 204, "the film arrives later", shelf.films)


def takes_them_from_the_clients(app, folder):
    film = pathlib.Path(folder, "film.webm")
    film.write_bytes(FILM)
    session = Session(f"http://127.0.0.1:{app.port}", "films")
    with film.open("rb") as file:
        key = upload(session, "arriving", file, "python.webm", "video/webm")
    expect(session.state["arriving"]["files"]["items"][key]["ready"], "the client in Python sends one", session.state)
    script = f"""
      import {{ openAsBlob }} from "node:fs";
      import {{ open }} from "{ROOT}/Examples/Clients/JavaScript/client.js";
      import {{ upload }} from "{ROOT}/Examples/Clients/JavaScript/files.js";
      const session = await open("http://127.0.0.1:{app.port}", "films");
      const key = await upload(session, "arriving", await openAsBlob("{film}", {{ type: "video/webm" }}), {{ name: "node.webm" }});
      console.log(session.state.arriving.files.items[key].ready);"""
    said = subprocess.run(["node", "--input-type=module", "--eval", script], check=True, capture_output=True, text=True).stdout
    expect(said == "true\n", "the client in JavaScript sends one", said)


def shows_them_in_a_browser(app, store, picture):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page()
        faults = []
        page.on("console", lambda message: faults.append(message.text) if "Content Security Policy" in message.text else None)
        page.goto(f"http://127.0.0.1:{app.port}/")
        expect_of(page.locator("main")).to_have_attribute("data-vm-ready", "")
        network = page.context.new_cdp_session(page)
        slow = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 1_000_000}
        network.send("Network.emulateNetworkConditions", slow)
        choose(page, "waves.webm")
        row = page.locator("[data-vm-upload] li")
        expect_of(row.locator("progress")).not_to_have_js_property("value", 0)
        store.kill()
        expect_of(row.get_by_text("Waits for the connection.")).to_be_visible()
        if picture:
            page.screenshot(path=picture)
        store.start()
        expect_of(row.locator("progress")).to_be_hidden(timeout=90_000)
        page.get_by_role("button", name="Keep").click()
        expect_of(row).to_have_count(0)
        with page.expect_download() as download:
            page.get_by_role("button", name="Fetch").click()
        expect(download.value.suggested_filename == "waves.webm", "the browser keeps the film under its name", download.value.suggested_filename)
        expect(pathlib.Path(download.value.path()).read_bytes() == FILM, "it is the one that was chosen, though the store was killed meanwhile", None)
        store_refuses(page)
        goes_on_in_another_session(page, row)
        expect(faults == [], "the page's policy lets it send to the bucket", faults)
        browser.close()


def choose(page, name):
    page.get_by_label("Films that arrive").set_input_files({"name": name, "mimeType": "video/webm", "buffer": FILM})


def store_refuses(page):
    """A refusal of the store's is told at the input, and ends the film."""
    page.route("**/films/arriving/*", lambda route: route.fulfill(status=403, headers={"Access-Control-Allow-Origin": "*"}))
    choose(page, "refused.webm")
    expect_of(page.get_by_label("Films that arrive")).to_have_attribute("data-vm-refused", "The store of files answered 403.")
    page.unroute("**/films/arriving/*")
    page.get_by_role("button", name="Remove").click()


def goes_on_in_another_session(page, row):
    """A film whose session ends while it is on its way is declared in the next one."""
    choose(page, "tide.webm")
    expect_of(row.locator("progress")).not_to_have_js_property("value", 0)
    url = page.request.get(f"{page.url}sessions").json()["sessions"][0]["url"]
    expect(page.request.delete(page.url.rstrip("/") + url).ok, "the session is ended", url)
    # The next session has it from its beginning.
    expect_of(row.locator("progress[hidden]")).to_have_count(1, timeout=90_000)
    expect_of(row).to_contain_text("tide.webm")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    os.environ.update(KEYS)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "Examples" / "Bucket" / "Public", f"{folder}/Public")
        for name in ("euripus.js", "euripus-upload.js"):
            shutil.copy(ROOT / "Public" / name, f"{folder}/Public")
        store = Store()
        app = App(program, folder, store)
        keeps_a_film(app, store)
        refuses_what_did_not_arrive(app, store)
        survives_a_kill(app)
        waits_for_the_store(app, store)
        takes_them_from_the_clients(app, folder)
        shows_them_in_a_browser(app, store, sys.argv[2] if len(sys.argv) > 2 else None)
        expect(app.end(signal.SIGTERM) == 0, "SIGTERM ends the app with status 0", None)
        store.kill()
    print("files in the bucket: all as they should be")


main()
