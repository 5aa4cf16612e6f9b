# SPDX-License-Identifier: MIT
"""Tests Examples/HelpDesk with a file, and as three servers of one database: a customer's ticket at one of them, with a
file, is seen by an agent at another, also after the first one was killed.

Usage: with-postgresql.sh help_desk.py PROGRAM
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import urllib.parse

from program import expect

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Faults"))

from client import Client  # noqa: E402
from databases import schema  # noqa: E402
from processes import ends_with_its_parent, free_port, until  # noqa: E402

TICKETS = 500
FILE = b"It creaks, and then it does not move."


class Server:
    def __init__(self, program, folder, *options, port=None):
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--public", folder, "--attachments", f"{folder}/attachments", "--examples", str(TICKETS), *(option.format(port=self.port) for option in options)],
            stdout=subprocess.PIPE, text=True, preexec_fn=ends_with_its_parent)
        line = self.process.stdout.readline()
        expect("is serving 4 view models" in line, "the help desk serves", line)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait()


def act(client, action, value=None):
    status, answer, fields = client.ask("POST", f"{client.url}/actions/{action}", None if value is None else json.dumps(value))
    expect(status == 200, f"'{action}' is done", (status, answer))
    if fields.get("Set-Cookie"):
        client.take(fields)


def put(client, path, value):
    status, answer, _ = client.ask("PUT", f"{client.url}/state/{path}", json.dumps(value))
    expect(status == 200, f"'{path}' is set", (status, answer))


def wait(client, is_wanted, what):
    """Follows a session by long polls until its state is as it is wanted."""
    def looks():
        _, answer, _ = client.ask("GET", client.url)
        frame = json.loads(answer)
        if is_wanted(frame["state"]):
            return frame["state"]
        client.ask("GET", f"{client.url}/changes?since={urllib.parse.quote(frame['version'])}", Prefer="wait=5")
        return None
    return until(looks, what)


def agent(port):
    client = Client(port)
    client.open("queue")
    put(client, "name/value", "anna")
    put(client, "code/value", "1234")
    act(client, "signIn")
    return client


def send(port, title, file=b""):
    client = Client(port)
    client.open("new-ticket")
    for field, value in (("author", "Carl"), ("title", title), ("text", "It has been like this since Monday.")):
        put(client, f"{field}/value", value)
    if file:
        status, answer, _ = client.ask("PUT", f"{client.url}/uploads/files/Door.txt", file, Content_Type="text/plain")
        expect(status == 201, "a file is taken", (status, answer))
    act(client, "send")
    return json.loads(client.ask("GET", f"{client.url}/state/sent")[1])


def gets(queue, number, file):
    """An agent gets the file of a ticket, and the export with its title."""
    status, answer, _ = queue.ask("POST", "/sessions/ticket", json.dumps({"params": {"ticket": number}}))
    expect(status == 201, "the ticket's room opens", (status, answer))
    room = json.loads(answer)["url"]

    def offered():
        [row] = json.loads(queue.ask("GET", room)[1])["state"]["attachments"]["items"].values() or [None]
        return row and row["offer"]["url"]
    status, answer, _ = queue.ask("GET", until(offered, "the file of the ticket"))
    expect((status, answer) == (200, file), "the agent gets the customer's file", (status, answer))
    put(queue, "words", "door")
    act(queue, "export")
    state = wait(queue, lambda state: state["exported"], "an export")
    status, answer, _ = queue.ask("GET", state["exported"]["url"])
    put(queue, "words", "")
    expect(status == 200 and f"{number},The door is stuck" in answer.decode(), "the agent gets the export", (status, answer))


def has(title):
    return lambda state: title in [row["title"] for row in state["tickets"]["items"].values()]


def serves_with_a_file(program, folder):
    server = Server(program, folder, "--store", f"{folder}/desk.db")
    queue = agent(server.port)
    wait(queue, lambda state: state["tickets"]["count"] == TICKETS, "the tickets to begin with")
    number = send(server.port, "The door is stuck", FILE)
    wait(queue, has("The door is stuck"), "the customer's ticket")
    gets(queue, number, FILE)
    expect(number == TICKETS + 1, "it has the next number", number)
    put(queue, "tickets/window", {"first": 200, "count": 30})
    wait(queue, lambda state: state["tickets"]["window"]["first"] == 200 and len(state["tickets"]["order"]) == 30, "the place to which the agent scrolls")

    def read():
        status, answer, _ = queue.ask("GET", queue.url)
        return json.loads(answer)["state"]["tickets"] if status == 200 else None
    seen = read()
    server.end(signal.SIGKILL)
    server = Server(program, folder, "--store", f"{folder}/desk.db", port=server.port)
    # The connection to the server before is closed.
    first = until(read, "the first answer after kill -9")
    expect(first == seen, "after kill -9 the agent is at the same place, with the same tickets, at once", (seen["window"], first["window"], len(first["order"])))
    status = server.end()
    expect(status == 0, "SIGTERM ends it with status 0", status)
    failed = subprocess.run([program, "--port", "0", "--public", folder], capture_output=True, text=True, check=False)
    expect(failed.returncode != 0 and "start the program with '--store FILE'" in failed.stderr, "without a store it ends, and says why", failed.stderr)


def serves_as_three(program, folder):
    options = ("--store", schema("help desk"), "--node-url", "http://127.0.0.1:{port}")
    servers = [Server(program, folder, *options) for _ in range(3)]
    queues = [agent(server.port) for server in servers]
    for queue in queues:
        wait(queue, lambda state: state["tickets"]["count"] == TICKETS, "the tickets to begin with")
    # Two tickets at once: one of them comes second, and is sent anew.
    numbers = [send(servers[index % 3].port, f"Ticket of round {index}") for index in range(6)]
    number = send(servers[1].port, "The door is stuck", FILE)
    wait(queues[2], has("The door is stuck"), "a ticket with a file that was sent at another server")
    gets(queues[2], number, FILE)
    expect(len(set(numbers)) == 6, "each ticket has a number of its own", numbers)
    for queue in queues:
        wait(queue, has("Ticket of round 5"), "a ticket that was sent at another server")
    servers[0].end(signal.SIGKILL)
    number = send(servers[1].port, "After the kill")
    expect(number == TICKETS + 8, "the others go on", number)
    wait(queues[2], has("After the kill"), "a ticket that was sent after the kill")
    for server in servers[1:]:
        status = server.end()
        expect(status == 0, "SIGTERM ends it with status 0", status)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    print("HelpDesk, with a file, and as three servers:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        serves_with_a_file(program, folder)
        serves_as_three(program, folder)


if __name__ == "__main__":
    main()
