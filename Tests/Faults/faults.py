# SPDX-License-Identifier: MIT
"""Servers of ledgers fail, and so do their database and the links between, while clients with keys act (kinds.py).
Nothing that was acknowledged may be lost, done twice, or gone from sight, and after each fault every client has to be
answered again. The longest gaps are figures of the report: they judge nothing.

Usage: faults.py [--store file|shared|relaxed] [--faults N] [--actions N] [--seed N] [--kinds A,B] [--durability NAME]
  [--controls] [--keep] SERVER
SERVER is LedgerServer. With controls, servers come first that have a fault themselves, which has to be found out.
"""

import argparse
import collections
import random
import shutil
import sys

from cluster import File, Relaxed, Shared
from kinds import FILE, FILE_CONTROLS, RELAXED, RELAXED_CONTROLS, SHARED, SHARED_CONTROLS, Control, Scene
from ledgers import Crowd, Ledger, Record, Room
from processes import Failure

# Seconds: a longer gap is reported with its tries.
TOLD = 5
# For each store its cluster, the kinds of faults, the controls, and the writers of a ledger.
STORES = {"file": (File, FILE, FILE_CONTROLS, 2), "shared": (Shared, SHARED, SHARED_CONTROLS, 1),
          "relaxed": (Relaxed, RELAXED, RELAXED_CONTROLS, 1)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=STORES, help="the only store; by default all")
    parser.add_argument("--faults", type=int, default=14)
    parser.add_argument("--actions", type=int, default=0, help="the least that is acknowledged for each fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", help="some of the kinds of faults, by default all")
    parser.add_argument("--durability", help="by default relaxed for the file, and acknowledged for the others")
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("--keep", action="store_true", help="the logs are kept in any case")
    parser.add_argument("server")
    return parser.parse_args()


def kinds_in_turn(table, names, chance):
    """Each kind once, and from then on by its weight."""
    bag = list(names)
    while True:
        chance.shuffle(bag)
        yield from bag
        bag = [name for name in names for _ in range(table[name].weight)]


def run(options, store, names, count, server_options=(), sessions=Control.count, rooms=Control.rooms, has_seats=True, **arguments):
    """Does so many faults to so many ledgers and to the rooms, until a client finds something wrong. Prints the report.
    Answers whether sessions were wrong, and whether anything was found."""
    make, table, _, writers = STORES[store]
    chance, record = random.Random(options.seed), Record()
    cluster = make(options.server, [*server_options, f"durability={options.durability or make.durability}"])
    print(f"{store}, seed {options.seed}, servers with {list(server_options)}; logs in {cluster.folder}", flush=True)
    lost = doubled = 0
    crowd = None
    try:
        if not has_seats:
            cluster.rows = None
        arguments["rows"] = cluster.rows
        # A session that a reader follows leaves memory never, so half of the ledgers have none.
        ledgers = [Ledger(cluster.ports[index % len(cluster.ports)], record, writers, readers=index % 2, **arguments) for index in range(sessions)]
        ledgers += [Room(number, cluster.ports, record, *people, **arguments) for number, people in enumerate(rooms)]
        crowd = Crowd(ledgers, record, options.seed)
        scene = Scene(cluster, crowd, record, chance)
        crowd.settle()
        for done, name in zip(range(1, count + 1), kinds_in_turn(table, names, chance)):
            scene.choose()
            record.begin(name)
            table[name].do(scene)
            crowd.settle()
            record.end()
            crowd.wait(lambda done=done: crowd.acknowledged >= options.actions * done, "actions")
            if record.findings:
                break
            if sys.stdout.isatty() or done % 50 == 0:
                print(f"  {done} of {count} faults, {crowd.acknowledged} acknowledged", flush=True)
        lost, doubled = crowd.end()
        doubled += started_twice(cluster, crowd, record)
    except Failure as failure:
        record.findings.append(str(failure))
        cluster.check()
    finally:
        cluster.close()
    report(record, lost, doubled, crowd)
    is_wrong = bool(lost or doubled or record.reversed)
    if not options.keep and not record.findings:
        shutil.rmtree(cluster.folder, ignore_errors=True)
    return is_wrong, is_wrong or bool(record.findings)


def started_twice(cluster, crowd, record):
    """The number of starts that commands had beyond their first, by the servers' logs."""
    lines = [line for server in cluster.servers for line in server.log.read_text(errors="replace").splitlines()]
    starts = collections.Counter(line for line in lines if line.startswith("started "))
    twice = {line: count for line, count in starts.items() if count > 1}
    if twice:
        record.findings.append(f"these commands were started more than once: {twice}")
    if not starts and any(writer.commands for writer in crowd.writers):
        record.findings.append("commands were acknowledged, and no log has a start")
    return sum(twice.values()) - len(twice)


def report(record, lost, doubled, crowd):
    for finding in record.findings[:20]:
        print("  " + finding)
    print("  answers before the last, by status:", dict(record.answers))
    done = collections.Counter(kind for kind, _, _ in record.times)
    gaps = {kind: record.gaps.get(kind, (0, "")) for kind in [*done, "several", "none"]}
    print("  faults of each kind, and the longest gap of them:", ", ".join(
        f"{kind} {done[kind]}, {1000 * gap:.0f} ms" for kind, (gap, _) in gaps.items() if kind in done or gap))
    for kind, (gap, tries) in gaps.items():
        if gap > TOLD:
            print(f"  {kind}, {1000 * gap:.0f} ms: {tries}")
    longest = max(gap for gap, _ in gaps.values())
    print(
        f"faults {sum(done.values())}, acknowledged {crowd.acknowledged if crowd else 0}, sent again {record.resent}, lost {lost}, "
        f"doubled {doubled}, reversed {record.reversed}, longest gap {1000 * longest:.0f} ms", flush=True)


def main():
    options = arguments()
    for store in [options.store] if options.store else STORES:
        _, table, controls, _ = STORES[store]
        for name, control in controls.items() if options.controls else ():
            is_wrong, _ = run(options, store, [control.kind], 1, control.options, control.count, control.rooms, **control.ledgers)
            print(f"control {name}: {'found out' if is_wrong else 'not found out'}", flush=True)
            if not is_wrong:
                sys.exit(1)
        if run(options, store, options.kinds.split(",") if options.kinds else [name for name in table if table[name].weight], options.faults)[1]:
            sys.exit(1)


if __name__ == "__main__":
    main()
