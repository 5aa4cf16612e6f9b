# SPDX-License-Identifier: MIT
# python3 follow.py http://127.0.0.1:8080
import sys

from euripus_client import Session

session = Session(sys.argv[1], "follow")


def people():
    return ", ".join(session.state["people"]["items"][key]["name"] for key in session.state["people"]["order"])


print(people())
session.perform("suggest")
while session.state["suggest"]["executing"]:
    session.next()
print(people())
