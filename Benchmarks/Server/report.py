# SPDX-License-Identifier: MIT
"""The results as JSON for programs, as a table for people, and as plots."""

import json
import os
import platform
import re
import statistics
import subprocess
import time
from pathlib import Path

from figures import Cases, Figure, Measured, tidy
from serving import ROOT

# The goals, each at least or at most. Beside libmicrohttpd they are those of a simple server (Decisions/0042). An
# optimised server had 0.81 of its throughput at 1.46 of its CPU, and 3 times the throughput of Hummingbird.
TARGETS: dict[str, tuple[str, float]] = {
    "action_vs_mhd_64": ("≥", 0.55), "action_cpu_vs_mhd_64": ("≤", 2.0),
    "stalled_models_p99_ms": ("≤", 50), "stalled_action_p99_ms": ("≤", 50), "stalled_frame_p99_ms": ("≤", 50),
    "frame_p50_ms_8000": ("≤", 0.3), "frame_p99_ms_8000": ("≤", 2), "idle_cpu_percent_8000": ("≤", 1),
    "session_kib": ("≤", 8), "row_kib": ("≤", 0.6), "session_1_mib_mib": ("≤", 10), "waiting_poll_kib": ("≤", 12),
    "one_field_patch_bytes_max": ("≤", 60),
    "frame_vs_least_max": ("≤", 1.3), "action_50000_vs_1_sessions": ("≥", 0.9),
}


def write(folder: Path, done: dict[str, Measured], command: str, seconds: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    metrics = {name: value for measured in done.values() for name, value in measured.metrics.items()}
    head = {"date": time.strftime("%Y-%m-%d"), "commit": _commit(), "command": command, "machine": _machine(),
            "minutes": tidy(seconds / 60), "others_cpu_percent": _others(done)}
    failures = [failure for measured in done.values() for failure in measured.failures]
    whole = {"metrics": metrics, **head, "failures": failures,
             "cases": {name: {case: {unit: figure.json() for unit, figure in figures.items()}
                              for case, figures in measured.cases.items()} for name, measured in done.items()}}
    (folder / "server.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    (folder / "server.md").write_text(markdown(head, metrics, failures, done))
    for measured in done.values():
        for name, picture in measured.plots.items():
            (folder / f"{name}.svg").write_text(picture)
    print(f"\n{_targets(metrics)}\nwritten to {folder}, after {seconds / 60:.1f} minutes", flush=True)


def markdown(head: dict, metrics: dict[str, float], failures: list[str], done: dict[str, Measured]) -> str:
    machine = head["machine"]
    parts = ["# The server, measured",
             f"{head['date']}, {machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, Linux "
             f"{machine['kernel']}; load before {machine['load']}; `{head['command']}` at {head['commit']}, "
             f"{head['minutes']} minutes, while other programs took {head['others_cpu_percent']} % of one processor. "
             "Medians of the rounds, with the least and the greatest behind; ratios are medians of the ratios within a round.",
             _targets(metrics)]
    if failures:
        parts.append("What failed:\n\n" + "\n".join(f"- {failure}" for failure in failures))
    for measured in done.values():
        # The heading has the words before the colon already.
        about = " ".join((measured.about or "").split()).partition(": ")[2]
        about = about[:1].upper() + about[1:]
        parts += [f"## {measured.title}", about]
        parts += _tables(measured.cases)
        parts += [f"![{name}]({name}.svg)" for name in measured.plots]
    return "\n\n".join(part for part in parts if part) + "\n"


def _targets(metrics: dict[str, float]) -> str:
    """A table of the metrics. A metric with a goal has the goal beside it, and whether it is reached."""
    lines = ["| metric | value | to reach | |", "|---|---:|---:|---|"]
    for name, value in metrics.items():
        sign, bound = TARGETS.get(name, ("", 0))
        reached = "" if not sign else "reached" if (value >= bound if sign == "≥" else value <= bound) else "missed"
        lines.append(f"| {name} | {value:,} | {f'{sign} {bound:,}' if sign else ''} | {reached} |")
    return "\n".join(lines)


def _tables(cases: Cases) -> list[str]:
    """A table for each kind of case. Cases of one kind have the same figures."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for name, figures in cases.items():
        kinds.setdefault(tuple(figures), []).append(name)
    tables = []
    for units, names in kinds.items():
        lines = ["| | " + " | ".join(units) + " |", "|---|" + "---:|" * len(units)]
        lines += [f"| {name} | " + " | ".join(_cell(cases[name][unit]) for unit in units) + " |" for name in names]
        tables.append("\n".join(lines))
    return tables


def _cell(figure: Figure) -> str:
    if len(figure.rounds) == 1 or min(figure.rounds) == max(figure.rounds):
        return f"{tidy(figure.median):,}"
    return f"{tidy(figure.median):,} ({tidy(min(figure.rounds)):,} – {tidy(max(figure.rounds)):,})"


def _others(done: dict[str, Measured]) -> float | None:
    """The work of other programs while actions were measured, in % of one processor: the median of all rounds."""
    rounds = [each for measured in done.values() for figures in measured.cases.values()
              for each in figures.get("others % CPU", Figure()).rounds]
    return tidy(statistics.median(rounds)) if rounds else None


def _machine() -> dict:
    found = re.search(r"(?m)^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    return {"cpu": found.group(1) if found else platform.machine(), "cores": os.cpu_count(),
            "memory_gib": round(int(memory.group(1)) / 2**20) if memory else None, "kernel": platform.release(),
            "load": LOAD_BEFORE}


def _commit() -> str:
    """The commit, with a plus sign if there are changes that are not committed."""
    done = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() or "no commit"


LOAD_BEFORE = round(os.getloadavg()[0], 1)
"""The load of the machine before anything was measured."""
