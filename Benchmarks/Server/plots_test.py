# SPDX-License-Identifier: MIT
"""The plots are well-formed, and show the figures that they get."""

import unittest
from xml.etree import ElementTree

import plots
from figures import Figure

SVG = "{http://www.w3.org/2000/svg}"


class PlotsTests(unittest.TestCase):
    def test_a_bar_is_as_long_as_its_median(self) -> None:
        picture = ElementTree.fromstring(plots.bars("A & B", {"one <1>": Figure([10, 20, 15]), "two": Figure([30])}))
        widths = [float(each.get("width")) for each in picture.iter(f"{SVG}rect") if each.get("class") == "bar f-0"]
        self.assertAlmostEqual(widths[1] / widths[0], 2, places=2)
        self.assertIn("one <1>", [each.text for each in picture.iter(f"{SVG}text")])
        self.assertIn("prefers-color-scheme: dark", picture.find(f"{SVG}style").text)

    def test_a_line_goes_up_with_its_medians_and_right_with_its_counts(self) -> None:
        points = [(0, Figure([1.0])), (10, Figure([2.0, 2.0, 9.0])), (1_000, Figure([4.0]))]
        picture = ElementTree.fromstring(plots.lines("Growth", "rows", {"us": points}))
        marks = [(float(each.get("cx")), float(each.get("cy"))) for each in picture.iter(f"{SVG}circle")]
        self.assertEqual([x for x, _ in marks], sorted(x for x, _ in marks))
        low, middle, high = (y for _, y in marks)
        self.assertAlmostEqual((low - high) / (low - middle), 3, places=1)

    def test_the_scale_ends_at_the_most_or_beyond(self) -> None:
        for most in (0.003, 0.99, 1, 4.2, 5, 9, 73, 100, 12_345):
            ticks = plots._ticks(most)
            self.assertGreaterEqual(ticks[-1] * (1 + 1e-9), most)
            self.assertLess(ticks[-2], most)
            self.assertTrue(4 <= len(ticks) <= 11, (most, ticks))
