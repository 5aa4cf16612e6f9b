# SPDX-License-Identifier: MIT
"""Runs the services of docker-compose.yml without a Docker engine, in the order of `depends_on`. Each command runs in
a network namespace of its own, with its environment, its files and its address. Then the script asks the services for
pages as a user would, kills a server, and stops all as Docker does.

In the place of an image the installed program runs that the image holds: PostgreSQL's, haproxy's, and the server
named. Usage, as root: compose.py SERVER
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from processes import HANGS, until

ROOT = Path(__file__).resolve().parents[2]
POSTGRESQL = "/usr/lib/postgresql/15/bin"
PREFIX = f"euripus-{os.getpid()}"
PASSWORDS = {"EURIPUS_SUPERUSER_PASSWORD": "super", "EURIPUS_OWNER_PASSWORD": "owner's", "EURIPUS_SERVER_PASSWORD": "server's"}
VARIABLE = re.compile(r"\$\{(\w+):\?[^}]*\}")


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, **options)


class Service:
    """One service in its namespace."""

    def __init__(self, name, settings, number, folder, binary):
        self.name, self.settings, self.binary = name, settings, binary
        assert settings["cap_drop"] == ["ALL"] and settings["security_opt"] == ["no-new-privileges:true"], f"{name} is not confined"
        # PostgreSQL's image has folders of its own for what it writes.
        assert settings.get("read_only") or name == "database", f"{name} may write anywhere"
        self.folder = folder / name
        self.folder.mkdir()
        self.volumes = folder
        self.space = f"{PREFIX}-{number}"
        self.address = settings["networks"]["inside"]["ipv4_address"]
        self.environment = {
            name: VARIABLE.sub(lambda found: PASSWORDS[found[1]], str(value)) for name, value in settings.get("environment", {}).items()}
        self.process = None
        run("ip", "netns", "add", self.space)
        inner, outer = "eth0", f"eu{os.getpid() % 10000}v{number}"
        run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", self.space)
        run("ip", "link", "set", outer, "master", bridge(), "up")
        for command in (("addr", "add", f"{self.address}/24", "dev", inner), ("link", "set", inner, "up"), ("link", "set", "lo", "up")):
            run("ip", "-n", self.space, *command)

    def inside(self, path):
        """The path outside of a path in the container."""
        for volume in self.settings.get("volumes", []):
            outer, inner = volume.split(":")[:2]
            if path == inner or path.startswith(inner + "/"):
                base = ROOT / outer if outer.startswith(".") else self.volumes / f"volume-{outer}"
                if not outer.startswith("."):
                    base.mkdir(exist_ok=True)
                return str(base) + path[len(inner):]
        return path.replace("/usr/share/euripus", str(ROOT))

    def command(self):
        image = self.settings["image"]
        if image == "euripus":
            return [self.binary, *(self.inside(part) for part in self.settings["command"])]
        if image.startswith("haproxy:"):
            return ["/usr/sbin/haproxy", "-W", "-db", "-f", self.inside("/usr/local/etc/haproxy/haproxy.cfg")]
        assert image.startswith("postgres:15"), image
        return self.database()

    def database(self):
        """Makes the database, and runs the scripts before it listens to others, as the image's entry point does
        (https://hub.docker.com/_/postgres)."""
        data = self.folder / "data"
        shutil.chown(self.folder, "postgres")
        # PostgreSQL's user has to be able to read the script.
        script = self.inside("/docker-entrypoint-initdb.d/roles.sql")
        own = self.folder / "roles.sql"
        shutil.copy(script, own)
        shutil.chown(own, "postgres")
        with open(self.folder / "set-up", "wb") as log:
            self.exec([f"{POSTGRESQL}/initdb", "--pgdata", data, "--auth-local", "trust", "--auth-host", "scram-sha-256", "--no-sync",
                       "--encoding", "UTF8", "--no-locale"], log)
            with open(data / "pg_hba.conf", "a", encoding="utf-8") as rules:
                rules.write("host all all all scram-sha-256\n")
            control = [f"{POSTGRESQL}/pg_ctl", "--pgdata", data, "--wait"]
            self.exec([*control, "start", "--options", f"-c listen_addresses= -c unix_socket_directories={self.folder}"], log)
            self.exec(["psql", "-X", "-v", "ON_ERROR_STOP=1", "--host", self.folder, "--dbname", "postgres", "-f", own], log)
            self.exec([*control, "stop"], log)
        return [f"{POSTGRESQL}/postgres", "-D", data, "-c", "listen_addresses=*", "-c", f"unix_socket_directories={self.folder}"]

    def environed(self, command):
        as_user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--init-groups"] if self.name == "database" else []
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        return list(map(str, [
            "ip", "netns", "exec", self.space, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *variables, *as_user, *command]))

    def exec(self, command, log=None):
        run(*self.environed(command), stdout=log, stderr=log, cwd=self.folder)

    def start(self):
        print(f"--- {self.name} at {self.address}: {' '.join(map(str, self.settings.get('command', [self.settings['image']])))}", flush=True)
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(self.environed(self.command()), stdout=log, stderr=log, cwd=self.folder)

    def wait_until(self, condition):
        if condition == "service_completed_successfully":
            assert self.process.wait(HANGS) == 0, self.told()
        elif condition == "service_healthy":
            check = [part.replace("pg_isready", f"{POSTGRESQL}/pg_isready") for part in self.settings["healthcheck"]["test"]]
            assert check[0] == "CMD"
            healthy = self.environed(check[1:])
            until(lambda: subprocess.run(healthy, check=False).returncode == 0, f"{self.name} to be healthy", self.process)
        else:
            assert condition == "service_started", condition

    def told(self):
        return (self.folder / "log").read_text(encoding="utf-8")

    def stop(self):
        """Stops the service by SIGTERM, within the time that Docker waits, and gives its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(int(self.settings.get("stop_grace_period", "10s").removesuffix("s")))

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def bridge():
    return f"eu{os.getpid() % 10000}br"


def start_all(services):
    """Starts the services in the order of their dependencies."""
    started = set()
    while len(started) < len(services):
        before = len(started)
        for name, service in services.items():
            needs = service.settings.get("depends_on", {})
            if name in started or not set(needs) <= started:
                continue
            for other in needs:
                services[other].wait_until(needs[other]["condition"] if isinstance(needs, dict) else "service_started")
            service.start()
            started.add(name)
        assert len(started) > before, "the services depend on each other in a circle"


def curl(*arguments):
    found = subprocess.run(["curl", "--silent", "--max-time", "10", *arguments], check=False, stdout=subprocess.PIPE, text=True)
    return found.stdout


def main():
    binary = sys.argv[1]
    file = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    folder = Path(tempfile.mkdtemp(prefix="euripus-compose-"))
    folder.chmod(0o755)
    run("ip", "link", "add", bridge(), "type", "bridge")
    services = {}
    try:
        # In Docker's network the host has an address too.
        run("ip", "addr", "add", "10.8.0.1/24", "dev", bridge())
        run("ip", "link", "set", bridge(), "up")
        for number, (name, settings) in enumerate(file["services"].items()):
            services[name] = Service(name, settings, number, folder, binary)
        start_all(services)
        ask(services, folder)
    except BaseException:
        for service in services.values():
            if service.process:
                print(f"--- {service.name} said:\n{service.told()[-2000:]}", file=sys.stderr)
        raise
    finally:
        for service in services.values():
            service.kill()
            subprocess.run(["ip", "netns", "del", service.space], check=False)
        subprocess.run(["ip", "link", "del", bridge()], check=False)
        shutil.rmtree(folder)


def ask(services, folder):
    servers = [service for service in services.values() if "--users" in service.settings.get("command", [])]
    assert len(servers) == 3
    # The published port is the proxy's.
    address, outer, inner = services["proxy"].settings["ports"][0].split(":")
    assert address == "127.0.0.1", address
    base, host = f"http://{services['proxy'].address}:{inner}", f"Host: localhost:{outer}"
    until(lambda: curl("-H", host, "-o", "/dev/null", "-w", "%{http_code}", f"{base}/readyz") == "200", "a proxy that has a server")
    print(f"--- curl http://localhost:{outer}/")
    assert "Euripus" in curl("-H", host, f"{base}/")
    jar = folder / "jar"
    opened = json.loads(curl("-H", host, "-c", jar, "-X", "POST", f"{base}/sessions/login"))
    cookie = f"Cookie: euripus-{outer}=" + jar.read_text(encoding="utf-8").split()[-1]
    typed = curl("-H", host, "-H", cookie, "-X", "PUT", "--json", '"maruko"', f"{base}{opened['url']}/state/username")
    assert '"maruko"' in typed, typed
    proxy = services["proxy"]

    def proxy_has(server):
        """Whether the proxy counts on a server, by its last line about that, if there is one."""
        _, word, state = proxy.told().rpartition(f"Server nodes/{server.name.replace('server', 'node')} is ")
        return not word or state.startswith("UP")

    until(lambda: all(map(proxy_has, servers)), "a proxy that has all servers", proxy.process)
    for server in servers:
        print(f"--- {server.name} is killed, and started again")
        server.kill()
        got = curl("-H", host, "-H", cookie, "--retry", "3", f"{base}{opened['url']}/state/username")
        assert got == '"maruko"', got
        until(lambda: not proxy_has(server), f"a proxy that misses {server.name}", proxy.process)
        server.start()
        until(lambda: proxy_has(server), f"a proxy that has {server.name} again", proxy.process)
    for server in servers:
        status = server.stop()
        assert status == 0, f"{server.name} ended with status {status}: {server.told()}"
    print("--- each server has ended within its time, with status 0")
    proxy.stop()
    assert services["database"].stop() == 0


if __name__ == "__main__":
    main()
