# SPDX-License-Identifier: MIT
"""Files against a server that loses answers: python3 -m unittest discover --pattern '*_test.py'"""

import io
import json
import unittest
from unittest import mock
from urllib.error import HTTPError

import euripus_files
from euripus_client import Problem, Session
from euripus_files import download, upload

OPENED = {"url": "/sessions/m/i", "token": "t", "version": "e.1", "state": {}}


class Spool:
    """A session that takes one file. The answers to some of its requests are lost, by the requests' numbers."""

    def __init__(self, *lost):
        self.lost, self.asked, self.fields, self.bytes, self.complete = lost, [], {}, b"", "?0"
        self.session = Session("http://h", "m", transport=self.answer, pause=lambda _: None)

    def answer(self, method, target, body, headers, timeout):
        self.asked.append((method, target))
        answer = self.answer_to(method, target, body, headers)
        if len(self.asked) in self.lost:
            raise ConnectionResetError
        return answer

    def answer_to(self, method, target, body, headers):
        if target == "/sessions/m":
            return 201, {}, json.dumps(OPENED).encode()
        if "/changes" in target:
            return 204, {}, b""
        assert headers["Authorization"] == "Bearer t"
        if method == "PUT":
            self.fields, self.bytes = headers, body
        if method == "PATCH":
            if int(headers["Upload-Offset"]) != len(self.bytes) or self.complete == "?1":
                return 409, {}, b'{"type": "/problems/upload-offset"}'
            self.bytes, self.complete = self.bytes + body, headers["Upload-Complete"]
        return 200, {"Upload-Offset": str(len(self.bytes)), "Upload-Complete": self.complete}, b""


class Shrinking(io.BytesIO):
    """A file that is shorter when it is read."""

    def read(self, count=-1):
        return super().read(count)[:-1]


class FilesTest(unittest.TestCase):
    def test_a_file_is_sent_in_parts_once_whichever_answer_is_lost(self):
        data = bytes(range(256)) * 10
        with mock.patch.object(euripus_files, "PART", 1000):
            whole = Spool()
            upload(whole.session, "photos", io.BytesIO(data), "Möwe.png", "image/png")
            for lost in range(2, len(whole.asked) + 1):
                spool = Spool(lost)
                key = upload(spool.session, "photos", io.BytesIO(data), "Möwe.png", "image/png")
                self.assertEqual((spool.bytes, spool.complete), (data, "?1"))
                self.assertEqual(spool.asked[1], ("PUT", f"/sessions/m/i/uploads/photos/{key}"))
        self.assertEqual(whole.fields["Upload-Length"], "2560")
        self.assertEqual(whole.fields["Content-Disposition"], "attachment; filename*=UTF-8''M%C3%B6we.png")
        self.assertEqual(whole.asked[-1], ("GET", "/sessions/m/i/changes?since=e.1"))

    def test_a_file_goes_to_a_store_of_the_apps_and_the_server_is_told(self):
        address = {"url": "http://store/a?signed", "fields": {"If-None-Match": "*"}}
        for told in (204, 410):
            spool, words = Spool(), []
            answers = {"PUT": (200, {}, json.dumps(address).encode()), "PATCH": (told, {}, b""), "GET": (204, {}, b"")}
            spool.answer_to = lambda method, target, body, headers: words.append((method, headers)) or answers[method]
            with mock.patch.object(euripus_files, "urlopen") as send:
                upload(spool.session, "photos", io.BytesIO(b"photo"), "a.png", "image/png")
                (request,), _ = send.call_args
                self.assertEqual((request.get_method(), request.full_url, request.data.read()), ("PUT", "http://store/a?signed", b"photo"))
                self.assertEqual(request.headers, {"Content-type": "image/png", "Content-length": "5", "If-none-match": "*"})
                self.assertEqual([(words[1][0], words[1][1][name]) for name in ("Upload-Offset", "Upload-Complete")], [("PATCH", "5"), ("PATCH", "?1")])
                send.side_effect = HTTPError("http://store/a", 403, "", {}, None)
                with self.assertRaises(Problem):
                    upload(spool.session, "photos", io.BytesIO(b"photo"), "a.png")

    def test_an_empty_file_is_complete_too(self):
        spool = Spool()
        upload(spool.session, "papers", io.BytesIO(), "nothing.txt", "text/plain")
        self.assertEqual((spool.bytes, spool.complete), (b"", "?1"))

    def test_a_file_that_an_action_has_taken_before_the_answer_came_is_sent(self):
        spool = Spool(3)
        answer_to = spool.answer_to
        spool.answer_to = lambda method, *rest: (410, {}, b"") if method == "HEAD" else answer_to(method, *rest)
        upload(spool.session, "papers", io.BytesIO(b"abc"), "a.txt", "text/plain")
        self.assertEqual((spool.bytes, spool.complete), (b"abc", "?1"))

    def test_a_file_that_has_changed_meanwhile_is_an_error(self):
        spool = Spool()
        with self.assertRaises(ValueError):
            upload(spool.session, "papers", Shrinking(b"abc"), "a.txt", "text/plain")
        self.assertEqual(spool.complete, "?0")

    def test_a_refusal_is_raised(self):
        spool = Spool()
        spool.answer_to = lambda *_: (415, {}, b'{"type": "/problems/wrong-file-type"}')
        with self.assertRaises(Problem) as refused:
            upload(spool.session, "photos", io.BytesIO(b"x"), "a.exe")
        self.assertEqual(refused.exception.kind, "wrong-file-type")

    def test_an_offered_file_is_fetched_until_it_has_come(self):
        answers = [(503, {"Retry-After": "1"}, b""), None, (200, {}, b"a,b")]
        spool = Spool()

        def answer(method, target, *_):
            spool.asked.append((method, target))
            if (line := answers.pop(0)) is None:
                raise ConnectionResetError
            return line

        spool.session._transport = answer
        self.assertEqual(download(spool.session, "/sessions/m/i/downloads/k"), b"a,b")
        self.assertEqual(spool.asked[1:], [("GET", "/sessions/m/i/downloads/k")] * 3)
