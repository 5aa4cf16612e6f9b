# SPDX-License-Identifier: MIT
"""A server of the protocol, played in the test's own process, so that the test decides when each thing happens.
It has one session of one model. Each answer is the whole state."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
CSP = (
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
# A page with one root, around the root's markup.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Played</title><link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/own.css"><script type="module" src="/euripus.js"></script><main data-vm-root="m">%s</main></html>"""


class Played:
    """Serves `page` at `/`, and its own style at `/own.css`. `perform(state, path, value)` does what an action does to
    the state. `show(state)` is what the page is told of it."""

    def __init__(self, page, state, perform=lambda state, path, value: None, show=lambda state: state, style=""):
        self.state, self.perform, self.show, self.version = state, perform, show, 1
        self.held = None
        self.changed = threading.Condition()
        # The applied changes, and for each name its last number with the answer (PROTOCOL §4).
        self.applied, self.names = [], {}
        files = {"/": (page.encode(), "text/html; charset=utf-8"), "/favicon.svg": (b"", "image/svg+xml")}
        for script in PUBLIC.glob("euripus*.js"):
            files["/" + script.name] = (script.read_bytes(), "text/javascript; charset=utf-8")
        files["/own.css"] = (style.encode(), "text/css; charset=utf-8")
        for name in ["euripus.css", "demos.css"]:
            files["/" + name] = ((PUBLIC / name).read_bytes(), "text/css; charset=utf-8")
        played = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, body=b"", kind="application/json"):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", CSP)
                self.end_headers()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    # A page that was left reads no answers.
                    self.wfile.write(body)

            def do_GET(self):
                path = self.path.split("?")[0]
                if path in files:
                    return self.answer(200, *files[path])
                if not path.endswith("/changes"):
                    return self.answer(404, b"{}")
                since = self.path.partition("since=")[2]
                with played.changed:
                    if "prefer" in self.headers:
                        played.changed.wait_for(lambda: since != played.name or played.is_over, timeout=25)
                    return self.answer(204) if since == played.name else self.answer(200, played.frame())

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with played.changed:
                    if "/sessions/m/s" not in self.path:
                        return self.answer(201, played.frame())
                    if self.path.endswith("/leaving"):
                        return self.answer(204)
                    name, number = self.headers["Idempotency-Key"].rsplit("/", 1)
                    last = played.names.get(name, (0, b""))
                    if int(number) > last[0] + 1:
                        problem = {"type": "/problems/out-of-order", "status": 409, "expected": last[0] + 1}
                        return self.answer(409, json.dumps(problem).encode())
                    if int(number) > last[0]:
                        path = self.path.split("?")[0].removeprefix("/sessions/m/s")
                        value = json.loads(body) if body else None
                        # A page that is left sends its unsent changes together.
                        for method, path, value in played.entries(value) if path == "/actions" else [(self.command, path, value)]:
                            played.act(method, path, value)
                        played.names[name] = last = (int(number), played.frame())
                    played.changed.wait_for(lambda: not played.held or played.held not in self.path or played.is_over)
                    return self.answer(200, last[1])

            do_PUT = do_DELETE = do_POST

        self.is_over = False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def name(self):
        return f"e.{self.version}"

    def frame(self):
        frame = {"url": "/sessions/m/s", "version": self.name, "from": None, "to": self.name, "state": self.show(self.state)}
        return json.dumps(frame).encode()

    def entries(self, together):
        return [("PUT", "/state" + entry["set"], entry["value"]) for entry in together]

    def act(self, method, path, value):
        self.applied.append((method, path, value))
        _, part, *names = path.split("/")
        if part == "state":
            node = self.state
            for name in names[:-1]:
                node = node[name]
            node[names[-1]] = value
        else:
            self.perform(self.state, "/".join(names), value)
        self.news()

    def news(self):
        self.version += 1
        self.changed.notify_all()

    def change(self, act):
        """Changes the state as another client would."""
        with self.changed:
            act(self.state)
            self.news()

    def hold(self, path):
        """Holds the answers to changes at that path until they are released. They are decided nevertheless."""
        with self.changed:
            self.held = path

    def release(self):
        with self.changed:
            self.held = None
            self.changed.notify_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()
