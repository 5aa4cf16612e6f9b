# SPDX-License-Identifier: MIT
"""The client against a server that answers by a script: python3 -m unittest discover --pattern '*_test.py'"""

import copy
import json
import threading
import unittest
from functools import reduce

from euripus_client import Problem, Session, apply, step

OPENED = {
    "url": "/sessions/m/i",
    "token": "t",
    "version": "e.1",
    "state": {"n": 1, "rows": {"order": ["a"], "items": {"a": {"x/~": 0}}}},
}


def frame(start, end, *patch, **more):
    return 200, {"from": start, "to": end, "patch": list(patch), **more}


def problem(status, kind, fields=None, **more):
    return status, {"type": f"/problems/{kind}", **more}, fields or {}


class Scripted:
    """A session with its requests and its waits. `None` in the script is an answer that is lost."""

    def __init__(self, *script):
        self.lines, self.asked, self.waits = [(201, OPENED), *script], [], []
        self.session = Session("http://h", "m", transport=self.answer, pause=self.waits.append)

    def answer(self, method, target, text, headers, timeout):
        self.asked.append((method, target, text, headers))
        line = self.lines.pop(0)
        if line is None:
            raise ConnectionResetError
        status, body, *fields = line
        text = body if isinstance(body, str) else json.dumps(body)
        return status, fields[0] if fields else {}, b"" if body is None else text.encode()

    @property
    def numbers(self):
        keys = [headers.get("Idempotency-Key") for _, _, _, headers in self.asked]
        return [int(key.split("/")[-1]) for key in keys if key]


class ClientTest(unittest.TestCase):
    def test_it_opens_with_a_token_and_holds_the_state(self):
        script = Scripted()
        self.assertEqual(script.session.state, OPENED["state"])
        self.assertEqual(script.asked[0][:3], ("POST", "/sessions/m", '{"auth": "bearer"}'))

    def test_a_value_is_written_only_if_it_was_not_changed_since_a_version(self):
        script = Scripted(problem(412, "value-changed", value="Bob's"), frame("e.1", "e.2"))
        with self.assertRaises(Problem) as refused:
            script.session.set("title", "Anna's", since="e.1")
        self.assertEqual(refused.exception.body["value"], "Bob's")
        script.session.set("title", "Anna's")
        conditions = [headers.get("If-Match") for _, _, _, headers in script.asked]
        self.assertEqual((conditions, script.numbers), ([None, '"e.1"', None], [1, 2]))

    def test_patches_have_four_operations_and_change_nothing_in_place(self):
        patch = [
            {"op": "replace", "path": "/n", "value": 2},
            {"op": "add", "path": "/rows/items/b", "value": {}},
            {"op": "add", "path": "/rows/order/0", "value": "b"},
            {"op": "move", "from": "/rows/order/0", "path": "/rows/order/1"},
            {"op": "replace", "path": "/rows/items/a/x~1~0", "value": None},
            {"op": "remove", "path": "/rows/items/b"},
            {"op": "remove", "path": "/rows/order/1"},
        ]
        before = copy.deepcopy(OPENED["state"])
        after = reduce(apply, patch, before)
        self.assertEqual(after, {"n": 2, "rows": {"order": ["a"], "items": {"a": {"x/~": None}}}})
        self.assertEqual(before, OPENED["state"])

    def test_a_change_has_the_same_number_until_it_has_an_answer(self):
        busy = problem(429, "too-many-requests", {"Retry-After": "3"})
        script = Scripted(None, busy, frame("e.1", "e.2", result=7), frame("e.2", "e.3"))
        self.assertEqual(script.session.perform("add"), 7)
        script.session.set("n", None)
        self.assertEqual(script.numbers, [1, 1, 1, 2])
        self.assertEqual(script.waits, [1, 3])
        self.assertEqual(script.asked[-1][2], "null")

    def test_a_proxy_that_got_no_answer_has_decided_nothing_and_a_page_that_it_refuses_with_is_a_problem(self):
        later = {"Retry-After": "Wed, 25 Nov 2026 07:28:00 GMT"}
        script = Scripted(
            (502, "<html>"), (503, "<html>", later), (200, "<html>"), problem(504, "overloaded"), frame("e.1", "e.2"),
            (403, "<html>"),
        )  # fmt: skip
        script.session.perform("add")
        self.assertEqual((script.numbers, script.waits), ([1] * 5, [1, 2, 4, 8]))
        with self.assertRaises(Problem) as raised:
            script.session.perform("add")
        self.assertEqual(raised.exception.status, 403)

    def test_a_refusal_uses_up_its_number_where_it_is_a_decision_or_the_number_is_another_requests(self):
        script = Scripted(
            problem(409, "action-disabled"), problem(422, "key-reused"), problem(413, "body-too-large"),
            frame("e.1", "e.2"),
        )  # fmt: skip
        for kind in ["action-disabled", "key-reused", "body-too-large"]:
            with self.assertRaises(Problem) as raised:
                script.session.perform("add")
            self.assertEqual(raised.exception.kind, kind)
        script.session.perform("add")
        self.assertEqual(script.numbers, [1, 2, 3, 3])

    def test_it_goes_on_with_the_number_that_the_server_expects(self):
        script = Scripted(problem(409, "out-of-order", expected=5), frame("e.1", "e.2"), frame("e.2", "e.3"))
        script.session.perform("add")
        script.session.perform("add")
        self.assertEqual(script.numbers, [1, 5, 6])

    def test_a_frame_that_does_not_fit_is_dropped_and_asked_for(self):
        stray = frame("e.7", "e.8", {"op": "replace", "path": "/n", "value": 8})
        script = Scripted(stray, (200, {"from": "e.1", "to": "e.8", "state": {"n": 9}}))
        script.session.perform("add")
        self.assertEqual(script.session.state, {"n": 9})
        self.assertEqual(script.asked[-1][:2], ("GET", "/sessions/m/i/changes?since=e.1"))

    def test_the_state_of_another_epoch_is_taken_and_nothing_of_one_that_was_left(self):
        script = Scripted((200, {"from": None, "to": "f.1", "state": {"n": 2}}))
        self.assertEqual(script.session.next(), {"n": 2})
        # An answer to a request that was sent in the epoch before.
        script.session._take({"from": None, "to": "e.9", "state": {"n": 3}}, "e.1")
        self.assertEqual((script.session.state, script.session.version), ({"n": 2}, "f.1"))

    def test_a_request_was_done_whose_answer_is_no_longer_known(self):
        script = Scripted((200, {"replayed": True, "version": "e.2"}), frame("e.1", "e.2"))
        self.assertIsNone(script.session.perform("add"))
        self.assertEqual(script.session.version, "e.2")

    def test_changes_of_several_threads_go_one_after_the_other(self):
        script = Scripted(*(frame(f"e.{n}", f"e.{n + 1}") for n in range(1, 9)))
        threads = [threading.Thread(target=script.session.perform, args=["add"]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(script.numbers, list(range(1, 9)))
        self.assertEqual(script.session.version, "e.9")

    def test_a_sign_in_brings_a_new_key_and_a_full_house_a_pause(self):
        script = Scripted(frame("e.1", "e.2", token="u"), (204, None, {"Retry-After": "2"}))
        script.session.perform("signIn")
        script.session.next()
        self.assertEqual([asked[3].get("Authorization") for asked in script.asked], [None, "Bearer t", "Bearer u"])
        self.assertEqual(script.waits, [2])

    def test_a_session_that_is_gone_is_raised(self):
        script = Scripted(problem(410, "session-closed"))
        self.assertRaises(Problem, script.session.next)

    def test_a_key_is_a_step_of_a_path_whatever_is_in_it(self):
        self.assertEqual(step("a/b~ ü"), "a~1b~0%20%C3%BC")
