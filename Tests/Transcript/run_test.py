#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The transcript's own tests: small READMEs without a server. They show that the gate can fail."""

import contextlib
import io
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import run  # noqa: E402

A, B = "V9xJ3o2mQ0aYk1Zc8RtB5w", "W8yK4p3nR1bZl2Ad9SuC6x"


def outcome(body: str, heading: str = "## From curl") -> tuple[int, str]:
    """The exit status and everything printed, for a README with `body` under the heading."""
    with tempfile.TemporaryDirectory() as directory:
        readme = Path(directory) / "README.md"
        readme.write_text(f"# Title\n\n{heading}\n\n{textwrap.dedent(body)}\n## After\n```sh\n$ false\n```\n")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            status = run.run(readme, "http://127.0.0.1:41234")
    return status, printed.getvalue()


def block(*lines: str, mark: str = "<!-- transcript -->") -> str:
    return "\n".join([mark, "```sh", *lines, "```", ""])


class TheTranscript(unittest.TestCase):
    def expect(self, status: int, last_line: str, body: str, *phrases: str) -> None:
        came, printed = outcome(body)
        self.assertEqual((came, printed.splitlines()[-1]), (status, last_line), printed)
        for phrase in phrases:
            self.assertIn(phrase, printed)

    def test_passes_where_the_output_is_as_printed(self):
        self.expect(0, "3 passed, 0 failed", block("$ printf 'a\\nb'", "a", "b", "$ S=1", "$ echo $S", "1"))

    def test_keeps_variables_and_directory_from_block_to_block(self):
        self.expect(0, "4 passed, 0 failed", block("$ S=x; echo y >f") + "prose\n\n" + block("$ echo $S", "x", "$ cat f", "y", "$ true"))

    def test_joins_a_line_that_ends_in_a_backslash(self):
        self.expect(0, "1 passed, 0 failed", block("$ echo a \\", "    b \\", "    c", "a b c"))

    def test_fails_with_a_difference(self):
        self.expect(1, "1 passed, 1 failed", block("$ echo a", "b", "$ echo c", "c"), "line 7: $ echo a", "-b", "+a")

    def test_fails_where_output_is_missing_or_not_printed(self):
        self.expect(1, "0 passed, 1 failed", block("$ true", "a"), "-a")
        self.expect(1, "0 passed, 1 failed", block("$ echo a"), "+a")
        self.expect(1, "0 passed, 1 failed", block("$ echo 'a '", "a"))
        self.expect(1, "0 passed, 1 failed", block("$ echo; echo a", "a"))

    def test_fails_where_a_command_does(self):
        self.expect(1, "0 passed, 1 failed", block("$ false"), "status 1")
        self.expect(1, "0 passed, 1 failed", block("$ echo a; exit 3", "a"), "the shell has ended")

    def test_shows_errors_as_output(self):
        self.expect(0, "1 passed, 0 failed", block("$ echo a >&2", "a"))

    def test_gives_the_url_and_prints_the_usual_one(self):
        first = "$ B=${EURIPUS_URL:-http://127.0.0.1:8080}"
        self.expect(0, "2 passed, 0 failed", block(first, "$ echo $B/", "http://127.0.0.1:8080/"))

    def test_takes_any_opaque_part_for_the_printed_one_and_then_no_other(self):
        self.expect(0, "2 passed, 0 failed", block(f"$ echo /s/{A[::-1]} abcdefgh.1", f"/s/{A} k7q2mzx4.1",
                                                   f"$ echo /s/{A[::-1]} abcdefgh.2", f"/s/{A} k7q2mzx4.2"))
        self.expect(1, "1 passed, 1 failed", block(f"$ echo /s/{A[::-1]}", f"/s/{A}", f"$ echo /s/{B}", f"/s/{A}"))
        self.expect(1, "1 passed, 1 failed", block(f"$ echo /s/{A[::-1]}", f"/s/{A}", f"$ echo /s/{A[::-1]}", f"/s/{B}"))
        self.expect(1, "1 passed, 1 failed", block("$ echo abcdefgh.1", "k7q2mzx4.1", "$ echo hgfedcba.2", "k7q2mzx4.2"))

    def test_takes_no_other_revision_and_no_other_length(self):
        self.expect(1, "0 passed, 1 failed", block("$ echo abcdefgh.2", "k7q2mzx4.1"))
        self.expect(1, "0 passed, 1 failed", block("$ echo abcdefghi.1", "k7q2mzx4.1"))
        self.expect(1, "0 passed, 1 failed", block(f"$ echo /s/{A}x", f"/s/{A}"))

    def test_types_the_opaque_part_that_came(self):
        self.expect(0, "2 passed, 0 failed", block("$ echo abcdefgh.1", "k7q2mzx4.1", "$ v=k7q2mzx4.1; echo ${v%.1} | tr a-h A-H", "ABCDEFGH"))

    def test_runs_the_second_terminal_beside_the_first_command_of_the_next_block(self):
        second = block("$ until [ -e go ]; do read -t 0.01 <> <(:); done; echo $S went", "x went", "$ echo $S", "x",
                       mark="<!-- transcript: second terminal -->")
        first = block("$ S=x")
        self.expect(0, "4 passed, 0 failed", first + second + block("$ : >go"))
        self.expect(0, "5 passed, 0 failed", first + second + block("$ : >go", "$ tail -n 1 second-terminal.out | cut -c 1-4", "end-"))
        self.expect(1, "3 passed, 1 failed", first + second.replace("x went", "y went") + block("$ : >go"))
        self.expect(1, "1 passed, 1 failed", second.replace("$ until", "$ exit; until") + block("$ :"), "second shell has ended")
        self.expect(0, "3 passed, 0 failed", first + block("$ echo $S", "x", mark="<!-- transcript: second terminal -->") + block("$ true"))

    def test_gives_up_on_a_command_that_does_not_end(self):
        limit, run.Terminal._next_result.__globals__["TIME_LIMIT"] = 60.0, 0.2
        self.addCleanup(run.Terminal._next_result.__globals__.__setitem__, "TIME_LIMIT", limit)
        self.expect(1, "0 passed, 1 failed", block("$ read -t 30 <> <(:)"), "no end after")

    def test_fails_where_a_block_would_not_be_run(self):
        self.expect(1, "0 passed, 1 failed", "```sh\n$ true\n```\n", "without a mark")
        self.expect(1, "0 passed, 1 failed", "prose\n", "no block to run")
        self.expect(1, "0 passed, 1 failed", block("a"), "output before any command")
        self.expect(1, "0 passed, 1 failed", block("$ true").replace("```\n", "") + block("$ true"), "the one before it has no end")
        self.assertIn("no section", outcome("", heading="## Other")[1])


if __name__ == "__main__":
    unittest.main()
