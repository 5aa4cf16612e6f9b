# SPDX-License-Identifier: MIT
"""Plots as SVG, readable where the page is light and where it is dark. Each mark has its number as its title."""

import math
from html import escape

from figures import Figure, tidy

WIDTH = 720
LIGHT = {"ink": "#1f2328", "soft": "#59636e", "grid": "#d1d9e0", "paper": "#ffffff",
         "0": "#0969da", "1": "#bc4c00", "2": "#1a7f37", "3": "#8250df"}
DARK = {"ink": "#f0f6fc", "soft": "#9198a1", "grid": "#3d444d", "paper": "#0d1117",
        "0": "#4493f8", "1": "#f0883e", "2": "#3fb950", "3": "#ab7df8"}
COLOURS = 4


def _colours(of: dict[str, str]) -> str:
    """Two classes for each colour: one that fills and one that draws."""
    return " ".join(f".f-{name}{{fill:{colour}}} .s-{name}{{stroke:{colour}}}" for name, colour in of.items())


STYLE = f"""<style>
text {{ font: 13px system-ui, sans-serif }} .title {{ font-size: 15px; font-weight: 600 }}
path, polyline {{ fill: none; stroke-width: 1 }} .thick {{ stroke-width: 2 }}
{_colours(LIGHT)}
@media (prefers-color-scheme: dark) {{ {_colours(DARK)} }}
</style>"""


def bars(title: str, values: dict[str, Figure], kinds: int = 1) -> str:
    """A bar for each value, to its median, with a line from the least to the greatest. `kinds` colours take turns."""
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
        marks.append(f'<rect class="bar f-{index % kinds}" x="{left}" y="{y}" width="{length:.1f}" height="18" rx="2">'
                     f"<title>{escape(name)}: {_number(figure.median)}</title></rect>")
        low, high = left + min(figure.rounds) * scale, left + max(figure.rounds) * scale
        if high - low > 1:
            ends = f"M{low:.1f} {middle - 4}v8M{high:.1f} {middle - 4}v8"
            marks.append(f'<path class="s-ink" d="M{low:.1f} {middle}H{high:.1f}{ends}"/>')
        marks.append(_text(max(left + length, high) + 8, middle + 4, _number(figure.median), "soft"))
    return _picture(title, height, marks)


def lines(title: str, below: str, series: dict[str, list[tuple[float, Figure]]]) -> str:
    """Medians over a count, whose axis is logarithmic. The other axis begins at 0. A vertical line at a median
    is its spread."""
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
        marks.append(f'<path class="s-grid" d="M{left} {level(tick):.1f}H{WIDTH - right}"/>')
        marks.append(_text(left - 8, level(tick) + 4, _number(tick), "soft", "end"))
    for count, x in places.items():
        marks.append(_text(x, top + depth + 20, _number(count), "soft", "middle"))
    marks.append(_text(left + width / 2, height - 12, below, "soft", "middle"))
    ends = []
    for index, (name, points) in enumerate(series.items()):
        if not points:
            continue
        colour = index % COLOURS
        track = " ".join(f"{places[count]:.1f},{level(figure.median):.1f}" for count, figure in points)
        marks.append(f'<polyline class="s-{colour} thick" points="{track}"/>')
        for count, figure in points:
            x, low, high = places[count], level(min(figure.rounds)), level(max(figure.rounds))
            marks.append(f'<path class="s-{colour}" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
            marks.append(f'<circle class="f-{colour}" cx="{x:.1f}" cy="{level(figure.median):.1f}" r="3.5">'
                         f"<title>{escape(name)}, {_number(count)}: {_number(figure.median)}</title></circle>")
        ends.append((level(points[-1][1].median), colour, f"{name} {_number(points[-1][1].median)}"))
    # The names of lines that end close to each other stand above one another, the lowest above the axis.
    y = math.inf
    for at, colour, label in sorted(ends, reverse=True):
        y = min(at + 4, y - 16)
        marks.append(_text(WIDTH - right + 12, y, label, str(colour)))
    return _picture(title, height, marks)


def _picture(title: str, height: float, marks: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'role="img" aria-label="{escape(title)}">{STYLE}<rect class="f-paper" width="100%" height="100%"/>\n'
            + _text(16, 24, title, "ink title") + "\n" + "\n".join(marks) + "\n</svg>\n")


def _text(x: float, y: float, text: str, colour: str = "ink", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="f-{colour}" text-anchor="{anchor}">{escape(text)}</text>'


def _shares(counts: list[float]) -> list[float]:
    """The place of each count, from 0 to 1, by its logarithm. A count of 0 stands half a power of ten before
    the next."""
    if len(counts) == 1:
        return [0.5]
    logs = [math.log10(count) if count > 0 else math.log10(counts[1]) - 0.5 for count in counts]
    return [(each - logs[0]) / (logs[-1] - logs[0]) for each in logs]


def _ticks(most: float) -> list[float]:
    """From 0 to `most` or beyond, in three to five even steps of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(most)) if most > 0 else 1
    step = next(part * power for part in (0.1, 0.2, 0.5, 1, 2) if part * power * 5 >= most or part == 2)
    return [step * index for index in range(math.ceil(most / step - 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{tidy(value):,}"
