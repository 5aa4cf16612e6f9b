# SPDX-License-Identifier: MIT
# python3 client.py http://127.0.0.1:8080
import json, sys, time, uuid
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

server, cookie, name, number = HTTPConnection(urlsplit(sys.argv[1]).netloc), "", uuid.uuid4(), 0


# A request without a whole answer is sent again as it was.
def send(method, path, headers={}, body=None):
    global cookie
    try:
        server.request(method, path, body and json.dumps(body), {"Cookie": cookie, "Content-Type": "application/json", **headers})
        answer = server.getresponse()
        text = answer.read()
    except (OSError, HTTPException):
        # A server that is started again takes a moment.
        server.close(), time.sleep(1)
        return send(method, path, headers, body)
    cookie = (answer.headers["Set-Cookie"] or cookie).split(";")[0]
    assert answer.status < 300, text
    return json.loads(text) if text else {}


opened = send("POST", "/sessions/follow")
url, version, state = opened["url"], opened["version"], opened["state"]


# One: a version says what this client holds, and is part of all that it asks.
def ask(method, path, headers, body=None):
    take(send(method, f"{url}{path}?since={version}", headers, body))


# Two: all that comes down is a frame, which is taken only if it fits to that version.
def take(frame):
    global version, state
    if frame.get("state"):
        state = frame["state"]
    elif frame.get("from") == version:
        for operation in frame["patch"]:
            apply(**operation)
    else:
        return
    version = frame["to"]


def apply(op, path, value=None, **rest):
    if op == "move":
        value = find(rest["from"])
        apply("remove", rest["from"])
    parent, _, last = path.rpartition("/")
    node = find(parent)
    last = int(last) if isinstance(node, list) else decode(last)
    if op == "remove" or op == "replace" and isinstance(node, list):
        del node[last]
    if op != "remove":
        node.insert(last, value) if isinstance(node, list) else node.update({last: value})


def decode(name):
    return name.replace("~1", "/").replace("~0", "~")


def find(path):
    node = state
    for name in path.split("/")[1:]:
        node = node[int(name) if isinstance(node, list) else decode(name)]
    return node


# A number makes an action happen once, however often it is sent.
def act(method, path, value=None):
    global number
    number += 1
    ask(method, path, {"Idempotency-Key": f"{name}/{number}"}, value)


# Three: the server keeps nothing for a reader, who asks again with what it holds, for as long as it likes.
def people():
    return ", ".join(state["people"]["items"][key]["name"] for key in state["people"]["order"])


print(people())
act("POST", "/actions/suggest")
while state["suggest"]["executing"]:
    ask("GET", "/changes", {"Prefer": "wait=25"})
print(people())
