# SPDX-License-Identifier: MIT
"""The fault matrix: clients with keys act on sessions of three servers behind haproxy, which share a PostgreSQL
database with a synchronous standby, while servers, databases and the links between them fail (matrix.py). Nothing
that was acknowledged may be lost, done twice, or gone from sight.

Usage: faults.py [--faults N] [--actions N] [--clients N] [--seed N] [--kinds A,B] [--seconds N] [--control NAME]
  [--keep] SERVER
SERVER is LedgerServer. With a control the servers have a fault that has to be found out: the exit status is 0 if it
was.
"""

import argparse
import collections
import math
import random
import sys
import time

from client import Client, Faults
from cluster import Cluster
from matrix import LONGEST, WEIGHTS, Matrix

# Seconds: a longer gap is reported with its tries.
TOLD = 5
CONTROLS = ("no-fencing", "process-claims")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--actions", type=int, default=0, help="the least that is acknowledged for each fault")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(WEIGHTS), help="those of: %(default)s")
    parser.add_argument("--control", choices=CONTROLS)
    parser.add_argument("--seconds", type=float, default=math.inf, help="no new fault is begun after that")
    parser.add_argument("--keep", action="store_true", help="the logs are kept in any case")
    parser.add_argument("server")
    options = parser.parse_args()
    if options.control:
        # A control that has found nothing by then has failed.
        options.seconds = min(options.seconds, 60)
    options.kinds = ["late"] if options.control else options.kinds.split(",")
    return options


def run(options, cluster, clients, record):
    """Does the faults that are wanted, until a client finds something wrong or the time is over."""
    generator = random.Random(options.seed)
    for client in clients:
        client.start()
    matrix = Matrix(cluster, clients, generator, record, options.kinds)
    matrix.settle()
    end = time.monotonic() + options.seconds
    for count in range(options.faults):
        if any(client.faults for client in clients) or time.monotonic() > end:
            return
        matrix.do(matrix.next_kind())
        matrix.pause(0, 0.5)
        while sum(client.acknowledged for client in clients) < options.actions * (count + 1):
            if any(client.faults for client in clients):
                return
            time.sleep(0.05)
        if sys.stdout.isatty() or count % 50 == 49:
            print(f"  {count + 1} of {options.faults} faults, {sum(client.acknowledged for client in clients)} acknowledged", flush=True)


def report(options, clients, record, verdicts):
    """Prints the report. Answers whether sessions were wrong, and whether another fault was found or a gap was too
    long."""
    faults = [fault for client in clients for fault in client.faults]
    for fault in faults[:20]:
        print("  " + fault)
    refused = sum((collections.Counter(client.answers) for client in clients), collections.Counter())
    print("  answers before the last, by status:", dict(refused))
    gaps = {}
    for client in clients:
        for kind, gap in client.gaps.items():
            gaps[kind] = max(gap, gaps.get(kind, (0, "")))
    done = collections.Counter(kind for kind, _, _ in record.times)
    print("  faults of each kind, and the longest gap of them:", ", ".join(
        f"{kind} {done[kind]}, {1000 * gaps.get(kind, (0, ''))[0]:.0f} ms" for kind in [*options.kinds, "several", "none"]
        if kind in done or kind in gaps))
    for kind, (gap, tries) in gaps.items():
        if gap > TOLD:
            print(f"  {kind}, {1000 * gap:.0f} ms: {tries}")
    # A gap in which several faults fell may be as long as the longest of them.
    limits = {**LONGEST, "several": max(LONGEST.values())}
    long = {kind: gaps[kind] for kind, limit in limits.items() if kind in gaps and gaps[kind][0] > limit}
    for kind, (gap, tries) in long.items():
        print(f"  too long for {kind}: {1000 * gap:.0f} ms, expected at most {1000 * limits[kind]:.0f} ms: {tries}")
    lost, doubled = (sum(column) for column in zip(*verdicts))
    reverse = sum(client.reversed for client in clients)
    print(
        f"faults {sum(done.values())}, acknowledged {sum(client.acknowledged for client in clients)}, lost {lost}, "
        f"doubled {doubled}, reversed {reverse}, longest gap {1000 * max((gap for gap, _ in gaps.values()), default=0):.0f} ms")
    return bool(lost or doubled or reverse), bool(faults or long)


def main():
    options = arguments()
    cluster = Cluster(options.server, [f"control={options.control}"] if options.control else [])
    print(f"{options.clients} clients, seed {options.seed}, control {options.control or 'none'}; logs in {cluster.folder}", flush=True)
    record = Faults()
    clients = []
    for index in range(options.clients):
        client = Client(cluster.proxies[index % 2].port, f"{options.seed}-{index}", record)
        # The second proxy has no affinity: behind it a session moves away from a server that is cut off.
        client.moves = index % 2 == 1
        clients.append(client)
    try:
        run(options, cluster, clients, record)
        for client in clients:
            client.ends.set()
            client.may_go.set()
        for client in clients:
            client.join(120)
        verdicts = [client.judge() for client in clients]
    finally:
        cluster.close()
    is_wrong, is_long = report(options, clients, record, verdicts)
    if options.control:
        print(f"control {options.control}: {'found out' if is_wrong else 'not found out'}")
        sys.exit(0 if is_wrong else 1)
    if is_wrong or is_long:
        sys.exit(1)
    if not options.keep:
        cluster.forget()


if __name__ == "__main__":
    main()
