# SPDX-License-Identifier: MIT
"""The least patch, against a search that knows nothing of documents. It tries all patches of the class, the
cheapest first."""

import heapq
import itertools
import os
import random
import unittest
from typing import Any, Iterator

from figures import Failure
from least import cost, least
from patching import apply, below, canonical, text

SEED = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))


def places(document: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, document
    pairs = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for token, value in pairs:
        yield from places(value, below(path, token))


def operations(document: Any, new: Any) -> Iterator[dict]:
    """All operations on a document with the values and names of the new document."""
    values = list({canonical(value): value for _, value in places(new)}.values())
    names = sorted({name for _, value in places(new) if isinstance(value, dict) for name in value})
    for path, value in places(document):
        for written in values:
            yield {"op": "replace", "path": path, "value": written}
            if not path:
                yield {"op": "add", "path": path, "value": written}
        if path:
            yield {"op": "remove", "path": path}
        if isinstance(value, dict):
            for name, written in itertools.product(names, values):
                yield {"op": "add", "path": below(path, name), "value": written}
        if isinstance(value, list):
            ends = [*range(len(value)), "-"]
            for at, written in itertools.product(ends, values):
                yield {"op": "add", "path": below(path, at), "value": written}
            for source, at in itertools.product(range(len(value)), ends):
                yield {"op": "copy", "from": below(path, source), "path": below(path, at)}
                yield {"op": "move", "from": below(path, source), "path": below(path, at)}


# A few pairs in a thousand have millions of documents on the way.
MOST_DOCUMENTS = 20_000


def searched(old: Any, new: Any, most: int) -> int | None:
    """The cost of the cheapest patch; None if there is too much to search. Fails if it is more than `most`."""
    start, goal = canonical(old), canonical(new)
    best, documents, waiting = {start: 0}, {start: old}, [(0, start)]
    while waiting:
        spent, name = heapq.heappop(waiting)
        if name == goal:
            return spent
        if spent > best[name]:
            continue
        for operation in operations(documents[name], new):
            reached = spent + cost([operation])
            if reached > most:
                continue
            after = apply([operation], documents[name])
            key = canonical(after)
            if reached < best.get(key, most + 1):
                if len(documents) == MOST_DOCUMENTS:
                    return None
                best[key], documents[key] = reached, after
                heapq.heappush(waiting, (reached, key))
    raise AssertionError("nothing was found")


def some_value(chance: random.Random, depth: int) -> Any:
    """A random value, with long texts, so that it pays to spare them."""
    kind = chance.randrange(8) if depth else 0
    if kind < 3:
        return chance.choice([1, True, None, "a", "b" * 30, "c" * 45])
    if kind < 5:
        return {name: some_value(chance, depth - 1) for name in chance.sample("ab", chance.randrange(3))}
    return [some_value(chance, depth - 1) for _ in range(chance.randrange(4))]


class LeastTests(unittest.TestCase):
    def test_no_patch_of_its_class_is_shorter(self) -> None:
        chance = random.Random(SEED)
        (compared, passed_over) = (0, 0)
        while compared < 60:
            old, new = some_value(chance, 2), some_value(chance, 2)
            with self.subTest(seed=SEED, old=text(old), new=text(new)):
                found = least(old, new)
                self.assertEqual(canonical(apply(found, old)), canonical(new))
                shortest = searched(old, new, cost(found))
                if shortest is None:
                    passed_over += 1
                    self.assertLess(passed_over, 20, "hardly a pair can be searched")
                    continue
                self.assertEqual(cost(found), shortest)
            compared += 1

    def test_a_member_that_is_there_is_replaced_by_add(self) -> None:
        self.assertEqual(least({"a": 1, "b": "x" * 40}, {"a": 2, "b": "x" * 40}), [{"op": "add", "path": "/a", "value": 2}])

    def test_a_row_that_goes_elsewhere_is_moved(self) -> None:
        rows = [f"row {number} with a long name" for number in range(9)]
        moved = [rows[8], *rows[:8]]
        self.assertEqual(least(rows, moved), [{"op": "move", "from": "/8", "path": "/0"}])

    def test_a_text_that_is_there_twice_is_copied(self) -> None:
        row = "a row with such a long name that it pays to copy it"
        self.assertEqual(least([row, 1, 2, 3], [row, 1, 2, 3, row]), [{"op": "copy", "from": "/0", "path": "/-"}])

    def test_true_is_not_one(self) -> None:
        self.assertEqual(least({"a": True}, {"a": 1})[0]["value"], 1)
        self.assertEqual(least([1.5, 1], [1.5, 1]), [])

    def test_names_are_escaped(self) -> None:
        old, new = {"a/b~c": 1, "d": "x" * 40}, {"a/b~c": 2, "d": "x" * 40}
        self.assertEqual(least(old, new), [{"op": "add", "path": "/a~1b~0c", "value": 2}])

    def test_an_array_that_is_too_long_is_said(self) -> None:
        chance = random.Random(SEED)
        rows = [f"row {number:03} " + "x" * 200 for number in range(40)]
        with self.assertRaisesRegex(Failure, "too long to be searched"):
            least(rows, chance.sample(rows, 40))
