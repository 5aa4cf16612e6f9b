# SPDX-License-Identifier: MIT
"""The figures that the pages state, compared with their sources: the whole runs of `make bench`, and the files of the
passive view. README tells times as ranges over the machines that were measured, and Benchmarks/README those of the last run."""

import gzip
import json
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Benchmarks" / "Server"))

from report import TARGETS  # noqa: E402

NUMBERS = ["No", "One", "Two", "Three", "Four", "Five"]


def near(value, digits):
    """A number with so many digits that count, such as 90,000 for 90,147 and two digits."""
    exact = Decimal(str(value))
    places = digits - exact.adjusted() - 1
    return f"{exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,.{max(0, places)}f}"


def missed(metrics):
    """The names of the goals that the run missed."""
    return [name for name, (sign, bound) in TARGETS.items() if (metrics[name] < bound if sign == "≥" else metrics[name] > bound)]


def sources(root=ROOT):
    """The run, and the bytes of the passive view, gzipped."""
    run = json.loads((root / "Benchmarks/results/server.json").read_text())
    view = (root / "Public/euripus.js").read_bytes()
    return run, len(gzip.compress(view, 9))


def earlier(root=ROOT):
    """The last runs on other machines, the oldest first."""
    return [json.loads(path.read_text()) for path in sorted((root / "Benchmarks/results").glob("server-*.json"))]


def span(values, digits):
    """The least and the greatest of some numbers, near; one number if both are the same then."""
    least, greatest = near(min(values), digits), near(max(values), digits)
    return least if least == greatest else f"{least} to {greatest}"


def statements(run, view):
    """The words of each page that tell of these figures."""
    metrics, runs = run["metrics"], [*earlier(), run]

    def case(group, name, unit, run=run):
        return run["cases"][group][name][unit]["median"]

    def cases(group, name, unit="requests/s", digits=2):
        return span([case(group, name, unit, each) for each in runs], digits)

    def of_all(metric, digits):
        return span([each["metrics"][metric] for each in runs], digits)

    def rate(group, name):
        return case(group, name, "requests/s")

    per_second, cpu, one = metrics["action_per_second_64"], metrics["action_cpu_us_64"], "Euripus, 64 connections, 1 session"
    bare, nginx, actor = ("bare libmicrohttpd, 64 connections", "nginx return 200, 64 connections", "Hummingbird, 64 connections")
    kib, least = metrics["session_kib"], metrics["one_field_least_patch_bytes_max"]
    stored = [rate("durability", f"{name}, 64 connections") for name in ("memory", "relaxed", "acknowledged")]
    back = case("durability", "after kill -9, 50,000 sessions stored", "ms until the first action is answered")
    postgresql = [
        sum(case("nodes", "PostgreSQL, relaxed, 1 server", f"{part} us CPU", each) for part in ("server", "database"))
        for each in runs]
    frames = [figures["state bytes"]["median"] / figures["frame bytes"]["median"] for figures in run["cases"]["wire"].values()]
    count = NUMBERS[len(missed(metrics))]
    between = f"{near(min(frames), 2)} to {near(max(frames), 2)}"
    of_stored = span([
        case(*each, "requests/s", one) for one in runs
        for each in (("durability", "relaxed, 64 connections"), ("nodes", "SQLite, relaxed"))], 1)
    backs = span([case("durability", "after kill -9, 50,000 sessions stored", "ms until the first action is answered", each)
                  for each in runs], 2)
    shares = [case("action", "Euripus, 64 connections, 1,000 sessions", "server us CPU", each)
              / case("action", actor, "server us CPU", each) for each in runs]
    of_many, polls, stream = (near(metrics["action_50000_vs_1_sessions"], 2), metrics["frame_p50_ms_8000"], metrics["frame_p50_ms_8000_stream"])
    return {
        "README.md": [
            f"Runs of `make bench` on {len(runs)} machines, on {' and '.join(each['date'] for each in runs)}:",
            f"{of_all('action_per_second_64', 1)} over 1,000 sessions | {cases('action', bare)} by a bare libmicrohttpd server, "
            f"{cases('action', actor)} by Hummingbird with an actor |",
            f"| {of_all('action_cpu_us_64', 2)} µs | {cases('action', bare, 'server us CPU')} µs bare, "
            f"{cases('action', actor, 'server us CPU')} µs Hummingbird |",
            f"{of_all('action_cpu_vs_mhd_64', 2)} times the CPU of the bare server, and {span(shares, 2)} times that of Hummingbird",
            f"| {of_stored} a second, of small sessions", f"with `--store FILE`: {of_stored} small actions a second",
            f"| {cases('nodes', 'PostgreSQL, relaxed, 1 server')} a second, on one machine | {span(postgresql, 2)} µs of CPU an action",
            f"| {of_all('frame_p50_ms_8000', 1)} ms (p50), {of_all('frame_p99_ms_8000', 2)} ms (p99) |",
            f"| {near(kib, 2)} KiB a login session, {near(metrics['waiting_poll_kib'], 2)} KiB a waiting poll | "
            f"{near(metrics['session_100_rows_kib'], 2)} KiB a session with a list of 100 rows |",
            f"50,000 login sessions take {near(kib * 50_000 * 1.024e-3, 2)} MB", f"| {backs} ms after its next process starts |",
            f"at most {near(metrics['frame_vs_least_max'], 3)} times the smallest patch", f"would be {between} times as large as the frames",
            f"{count} goals were missed.", f"it has {of_many} of the throughput over one (wanted {TARGETS['action_50000_vs_1_sessions'][1]})",
            f"The patch of one field has {metrics['one_field_patch_bytes_max']} bytes beyond its value (wanted "
            f"{TARGETS['one_field_patch_bytes_max'][1]}; the smallest that a search finds has {least})",
            f"loads {round(view / 1_024)} KB of JavaScript, compressed",
        ],
        "CHANGELOG.md": [f"{count} goals of performance are missed"],
        "Benchmarks/README.md": [
            f"of one run on {run['date']}",
            f"over 1,000 sessions {per_second:,} requests/s and {near(cpu, 3)} us CPU a request, over one {rate('action', one):,} and "
            f"{near(case('action', one, 'server us CPU'), 3)}; ",
            f"answers as many bytes {rate('action', bare):,} and {near(case('action', bare, 'server us CPU'), 2)} "
            f"({near(metrics['action_vs_mhd_64'], 2)} and {near(metrics['action_vs_mhd_64_one_session'], 2)} of its throughput, "
            f"{near(metrics['action_cpu_vs_mhd_64'], 3)} and {near(metrics['action_cpu_vs_mhd_64_one_session'], 3)} times its CPU)",
            f"nginx `return 200` {rate('action', nginx):,} and {near(case('action', nginx, 'server us CPU'), 2)};",
            f"with an actor {rate('action', actor):,} and {near(case('action', actor, 'server us CPU'), 3)} |",
            f"| {of_many} of the throughput over one;",
            f"by long poll p50 {near(polls, 1)} ms, p99 {near(metrics['frame_p99_ms_8000'], 2)} ms; by stream {near(stream, 1)} and "
            f"{near(metrics['frame_p99_ms_8000_stream'], 2)}",
            f"| {near(metrics['frame_vs_least_max'], 3)} times its bytes at most; the state whole each time would be {between} times the frames |",
            f"by long poll {near(metrics['waiting_poll_kib'], 2)} KiB, by stream {near(metrics['waiting_stream_kib'], 3)} KiB",
            f"KiB each: login {near(kib, 2)};", f"a list of 100 rows {near(metrics['session_100_rows_kib'], 2)};", f"| {view:,} bytes |",
            "64 connections: " + "{}, {} and {} requests/s".format(*(near(each, 3) for each in stored)),
            f"the first action is answered after {near(back, 2)} ms",
        ],
    }


def failures(pages, expected):
    """A sentence for each statement that a page does not have. `pages` has the texts of the pages to look at."""
    for name, sentences in expected.items():
        if name not in pages:
            continue
        text = " ".join(pages[name].split())
        for sentence in sentences:
            if " ".join(sentence.split()) not in text:
                yield f"{name}: expected the words '{sentence.strip()}', as the figures are"
