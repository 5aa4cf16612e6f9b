# SPDX-License-Identifier: MIT
"""Plots as SVG, readable where the page is light and where it is dark. Each mark has its number as its title."""

import math
from html import escape

from figures import Figure, tidy

WIDTH = 720
STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
.soft { fill: #59636e } .grid { stroke: #d1d9e0 } .spread { stroke: #1f2328 } .paper { fill: #ffffff }
.m0 { fill: #0969da; stroke: #0969da } .m1 { fill: #bc4c00; stroke: #bc4c00 } .m2 { fill: #1a7f37; stroke: #1a7f37 }
.m3 { fill: #8250df; stroke: #8250df } .line { fill: none; stroke-width: 2 } .bar { stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .soft { fill: #9198a1 } .grid { stroke: #3d444d } .spread { stroke: #f0f6fc } .paper { fill: #0d1117 }
.m0 { fill: #4493f8; stroke: #4493f8 } .m1 { fill: #f0883e; stroke: #f0883e } .m2 { fill: #3fb950; stroke: #3fb950 }
.m3 { fill: #ab7df8; stroke: #ab7df8 } }
</style>"""


def bars(title: str, values: dict[str, Figure]) -> str:
    """One bar each, to the median, with a line from the least to the greatest."""
    left, right, row, top = 250, 90, 26, 44
    height = top + row * len(values) + 12
    most = max(max(figure.rounds) for figure in values.values()) or 1
    scale = (WIDTH - left - right) / most
    marks = []
    for index, (name, figure) in enumerate(values.items()):
        y = top + row * index
        middle = y + 9
        length = figure.median * scale
        marks.append(_text(left - 10, middle + 4, name, anchor="end"))
        marks.append(f'<rect class="bar m0" x="{left}" y="{y}" width="{length:.1f}" height="18" rx="2">'
                     f"<title>{escape(name)}: {_number(figure.median)}</title></rect>")
        low, high = left + min(figure.rounds) * scale, left + max(figure.rounds) * scale
        if high - low > 1:
            marks.append(f'<path class="spread" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8"/>')
        marks.append(_text(max(left + length, high) + 8, middle + 4, _number(figure.median), "soft"))
    return _picture(title, height, marks)


def lines(title: str, below: str, series: dict[str, list[tuple[float, Figure]]]) -> str:
    """Medians over a count, which grows in powers of ten; upwards from nothing. A line up and down at each is the spread."""
    left, right, top, bottom, height = 70, 150, 52, 56, 340
    counts = sorted({count for points in series.values() for count, _ in points})
    most = max((max(figure.rounds) for points in series.values() for _, figure in points), default=1)
    if not counts:
        return _picture(title, 80, [])
    ticks = _ticks(most)
    width, depth = WIDTH - left - right, height - top - bottom
    places = {count: left + width * share for count, share in zip(counts, _shares(counts))}
    level = lambda value: top + depth * (1 - value / ticks[-1])  # noqa: E731
    marks = []
    for tick in ticks:
        marks.append(f'<path class="grid" d="M{left} {level(tick):.1f}H{WIDTH - right}"/>')
        marks.append(_text(left - 8, level(tick) + 4, _number(tick), "soft", "end"))
    for count, x in places.items():
        marks.append(_text(x, top + depth + 20, _number(count), "soft", "middle"))
    marks.append(_text(left + width / 2, height - 12, below, "soft", "middle"))
    ends = []
    for index, (name, points) in enumerate(series.items()):
        if not points:
            continue
        track = " ".join(f"{places[count]:.1f},{level(figure.median):.1f}" for count, figure in points)
        marks.append(f'<polyline class="line m{index % 4}" style="fill:none" points="{track}"/>')
        for count, figure in points:
            x = places[count]
            marks.append(f'<path class="m{index % 4}" d="M{x:.1f} {level(min(figure.rounds)):.1f}V{level(max(figure.rounds)):.1f}"/>')
            marks.append(f'<circle class="m{index % 4}" cx="{x:.1f}" cy="{level(figure.median):.1f}" r="3.5">'
                         f"<title>{escape(name)}, {_number(count)}: {_number(figure.median)}</title></circle>")
        ends.append((level(points[-1][1].median), index, f"{name} {_number(points[-1][1].median)}"))
    # The names of lines that end close to each other stand below one another.
    y = -math.inf
    for at, index, label in sorted(ends):
        y = max(at + 4, y + 16)
        marks.append(f'<text class="m{index % 4}" style="stroke:none" x="{WIDTH - right + 12}" y="{y:.1f}">{escape(label)}</text>')
    return _picture(title, height, marks)


def _picture(title: str, height: float, marks: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
            f'aria-label="{escape(title)}">{STYLE}<rect class="paper" width="100%" height="100%"/>\n'
            + _text(16, 24, title, "title") + "\n" + "\n".join(marks) + "\n</svg>\n")


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "") -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}"' + (f' class="{kind}"' if kind else "")
            + (f' text-anchor="{anchor}"' if anchor else "") + f">{escape(text)}</text>")


def _shares(counts: list[float]) -> list[float]:
    """Where each stands from 0 to 1: by its logarithm, and nothing half a power of ten before the first."""
    if len(counts) == 1:
        return [0.5]
    logs = [math.log10(count) if count > 0 else math.log10(counts[1]) - 0.5 for count in counts]
    return [(each - logs[0]) / (logs[-1] - logs[0]) for each in logs]


def _ticks(most: float) -> list[float]:
    """From nothing to the most or beyond, in four to ten even steps of 1, 2 or 5."""
    power = 10 ** math.floor(math.log10(most)) if most > 0 else 1
    step = next(part * power for part in (0.1, 0.2, 0.5, 1, 2) if part * power * 5 >= most or part == 2)
    return [step * index for index in range(math.ceil(most / step - 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{tidy(value):,}"
