#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The referee finds faults: each test plants one in a recording."""

import base64
import gzip
import json
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path

sys.dont_write_bytecode = True

import conformance  # noqa: E402
import run  # noqa: E402
import texts  # noqa: E402
from recording import Reading, Recording  # noqa: E402

SECRET = "q7w3e9r1t5zu"
PATH = "/sessions/counter/V9xJ3o2mQ0aYk1Zc8RtB5w"


FIELDS = "".join(f"{name.decode()}: x\r\n" for name in conformance.ALWAYS + conformance.TYPED)


def response(body: str, head: str = "200 OK", kind: str = "application/json", fields: str = FIELDS) -> str:
    length = len(body.encode())
    lines = f"HTTP/1.1 {head}\r\n{fields}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    return lines + body.encode().decode("latin-1")


def exchange(target: str, answer: str, method: str = "GET", body: str = "") -> list[dict]:
    sent = f"{method} {target} HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    return [{"connection": 1, "sent": sent}, {"connection": 1, "received": answer}]


def state(version: str, count: object) -> dict:
    return {"model": "counter", "version": version, "state": {"count": count}}


def patch(start: str, end: str, value: object) -> dict:
    return {"from": start, "to": end, "patch": [{"op": "replace", "path": "/count", "value": value}]}


class RefereeTests(unittest.TestCase):
    def wrong(self, entries: list[dict], files: dict[str, bytes] = {}) -> list[str]:
        with tempfile.TemporaryDirectory() as directory:
            lines = "".join(json.dumps(entry) + "\n" for entry in entries)
            (Path(directory) / "tests-1.jsonl").write_text(lines)
            for name, content in files.items():
                (Path(directory) / name).write_bytes(content)
            return run.judge(Recording(Path(directory)), SECRET, run.Least(0, 0, 0))[1]

    def over_http(self, *documents: dict) -> list[dict]:
        return [entry for document in documents for entry in exchange(PATH, response(json.dumps(document)))]

    def test_patches_that_lead_from_snapshot_to_snapshot_are_right(self):
        documents = [state("a.1", 1), patch("a.1", "a.2", 2), patch("a.2", "a.3", 3), state("a.3", 3)]
        self.assertEqual(self.wrong(self.over_http(*documents)), [])
        self.assertEqual(self.wrong(self.over_http(*reversed(documents))), [])

    def test_a_patch_that_leads_elsewhere_is_found(self):
        self.assertTrue(self.wrong(self.over_http(state("a.1", 1), patch("a.1", "a.2", 2), state("a.2", 3))))
        self.assertTrue(self.wrong(self.over_http(state("a.1", 1), patch("a.1", "a.2", 1), state("a.2", True))))
        self.assertTrue(self.wrong([{"session": 1, "message": m} for m in (state("a.1", 1), patch("a.1", "a.1", 2))]))

    def test_a_patch_that_does_not_fit_is_found(self):
        removal = {"from": "a.1", "to": "a.2", "patch": [{"op": "remove", "path": "/gone"}]}
        self.assertTrue(self.wrong(self.over_http(state("a.1", 1), removal)))

    def test_the_events_of_a_stream_are_frames(self):
        def stream(value: int) -> list[dict]:
            event = f"retry: 1000\n\nid: a.2\ndata: {json.dumps(patch('a.1', 'a.2', value))}\n\n"
            chunks = f"{len(event):x}\r\n{event}\r\n"
            head = f"HTTP/1.1 200 OK\r\n{FIELDS}Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            snapshots = [{**entry, "connection": 2} for entry in self.over_http(state("a.1", 1), state("a.2", 2))]
            return snapshots + exchange(f"{PATH}/changes?since=a.1", head + chunks)
        self.assertEqual(self.wrong(stream(2)), [])
        self.assertTrue(self.wrong(stream(3)))

    def test_too_little_is_wrong_too(self):
        with tempfile.TemporaryDirectory() as directory:
            for least in (run.Least(1, 0, 0), run.Least(0, 1, 0), run.Least(0, 0, 1)):
                self.assertEqual(len(run.judge(Recording(Path(directory)), SECRET, least)[1]), 1)
        self.assertEqual(run.main(["/nonexistent", "swift"]), 1)

    def test_a_secret_is_found_in_every_form_and_place(self):
        encoded = [base64.b64encode(b"x" * n + SECRET.encode() + b"yz").decode() for n in range(3)]
        shown = [
            SECRET, SECRET.upper(), SECRET[:8], SECRET[-8:], SECRET[::-1], SECRET.encode().hex(),
            "".join(f"%{ord(c):02X}" for c in SECRET), urllib.parse.quote(SECRET), json.dumps(f"a{SECRET}"),
            "".join(f"\\u{ord(c):04x}" for c in SECRET), *encoded, base64.urlsafe_b64encode(SECRET.encode()).decode(),
        ]
        for text in shown:
            for entries, files in (
                (exchange(PATH, response(f'{{"detail":"{text}"}}', "400 Bad Request")), {}),
                (exchange(PATH, "HTTP/1.1 204 No Content\r\nX-Seen: " + text + "\r\n\r\n"), {}),
                ([{"log": f"line with {text}"}], {}), ([], {"metrics.txt": text.encode()}), ([], {f"f-{text}": b""}),
            ):
                if "/" in text and files:
                    continue
                self.assertTrue(self.wrong(entries, files), text)

    def test_a_secret_is_found_in_a_compressed_response(self):
        body = gzip.compress(f'{{"detail":"{SECRET}"}}'.encode()).decode("latin-1")
        head = f"HTTP/1.1 200 OK\r\n{FIELDS}Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        found = self.wrong(exchange(PATH, head + body))
        self.assertEqual([each for each in found if "compressed" in each], found)
        self.assertEqual(len(found), 1)

    def test_a_secret_that_was_only_sent_is_no_leak(self):
        self.assertEqual(self.wrong(exchange(PATH, response("{}"), "PUT", f'"{SECRET}"')), [])
        self.assertEqual(self.wrong(exchange(PATH, response(f'"{SECRET[:7]}"'))), [])

    def test_a_response_that_http_does_not_allow_is_found(self):
        problem = '{"type":"/problems/internal","title":"t","status":500}'
        as_problem = "application/problem+json"
        self.assertEqual(self.wrong(exchange(PATH, response(problem, "500 Oh", as_problem))), [])
        empty = f"HTTP/1.1 204 No Content\r\n{FIELDS}\r\n"
        self.assertEqual(self.wrong(exchange(PATH, empty)), [])
        of_documents = "".join(f"{name.decode()}: x\r\n" for name in conformance.OF_DOCUMENTS)
        page = response("<p>", kind="text/html; charset=utf-8", fields=FIELDS + of_documents)
        self.assertEqual(self.wrong(exchange("/login.html", page)), [])
        for answer in (
            response(problem, "500 Oh"), response(problem, "501 Oh", as_problem), response("{}", "500 Oh", as_problem),
            response("{}", "201 Created"), response("{}", fields=FIELDS.replace("date", "data")),
            response("{}", fields=FIELDS + "ETag: k.1\r\n"), response("{}", fields=FIELDS + "ETag: \"a\"\r\nETag: \"b\"\r\n"),
            response("{}", fields=FIELDS + "Server: Euripus/1\r\n"), response("{}", fields=FIELDS + "Set-Cookie: euripus=a\r\n"),
            response("{}", fields=FIELDS + "X y: z\r\n"), response("{}", fields=FIELDS + "X: \x01\r\n"),
            empty.replace("date", "Content-Length: 0\r\ndate"), response("{}") + "HTTP/1.1 400 Bad Request\r\n\r\n",
            response("{}", fields="date: x\r\n"),
            response("<p>", kind="text/html; charset=utf-8"), response("{}", fields=FIELDS + "Content-Security-Policy: x\r\n"),
        ):
            self.assertTrue(self.wrong(exchange(PATH, answer)), answer)

    def test_a_reader_that_takes_too_much_or_too_little_or_another_value_is_found(self):
        for text, accepted, value in [
            (b"[1,]", True, [1]), (b"\xef\xbb\xbf1", True, 1), (b'{"a":1,"a":2}', True, {"a": 2}), (b"NaN", True, None),
            (b"1e999", True, None), (b'"\\ud800"', True, "?"), (b'"\xff"', True, "?"), (b"[1]", False, None),
            (b"1", True, 2), (b"1", True, True), (b"-0", True, 1), (b"01", True, 1), (b'["\\udc00"]', True, ["?"]),
        ]:
            self.assertTrue(texts.difference(Reading(text, accepted, value)), text)
        for text, value in [(b"[1]", [1]), (b"1.0", 1), (b'{"\\u0061":null}', {"a": None}), (b"18446744073709551616", 2.0**64)]:
            self.assertIsNone(texts.difference(Reading(text, True, value)), text)
        self.assertIsNone(texts.difference(Reading(b"[" * 33 + b"]" * 33, False, None)))


if __name__ == "__main__":
    unittest.main()
