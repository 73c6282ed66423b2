"""What the checks are made of: programs, control sockets, the link, the hands at the board.

Runs as root on the guest's own Python, without any package. /payload is the second disk: the
bundle that `scripts/bundle.sh` makes, and these files.
"""

# ruff: noqa: TID251  the console is the report, and real time passes here
from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAYLOAD = Path("/payload")
BUNDLE = Path("/root/bundle")
CURRENT = Path("/opt/boardctl/current")
PREVIOUS = Path("/opt/boardctl/previous")
BOARDCTL = str(CURRENT / "bin/boardctl")
CONFIG = Path("/etc/boardctl/boardctl.toml")
STATE = Path("/var/lib/boardctl")
LINK = Path("/run/boardctl/link")
BOOT_CONFIG = Path("/boot/firmware/config.txt")
REEDS = Path("/run/reeds.sock")
LIGHTS = Path("/run/lights.sock")
UNITS = ("boardctl", "boardctl-web")
SLOW_S = 90.0
"""How long anything may take before it counts as hung; the emulated machine is slow."""

CHECKS: list[tuple[str, Callable[[], None]]] = []


def check(name: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Register a check under the sentence that it proves."""

    def register(function: Callable[[], None]) -> Callable[[], None]:
        CHECKS.append((name, function))
        return function

    return register


class Failure(Exception):  # noqa: N818  no defect of the program
    """What was found instead."""


def expect(condition: object, found: object) -> None:
    """Fail unless *condition* holds; *found* tells a person what there was."""
    if not condition:
        raise Failure(str(found))


def run(*command: str, check_code: bool = True, timeout: float = 300) -> str:
    """Run a program and return what it printed."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    text = done.stdout + done.stderr
    expect(
        not check_code or done.returncode == 0, f"{' '.join(command)}: {done.returncode}: {text}"
    )
    return text


def until(condition: Callable[[], Any], *, within: float = SLOW_S, what: object = "") -> Any:
    """Wait for *condition* and return what it returned; OSError counts as not yet."""
    end = time.monotonic() + within
    last: object = None
    while time.monotonic() < end:
        try:
            last = condition()
        except (OSError, ValueError, Failure) as error:
            last = error
        else:
            if last:
                return last
        time.sleep(0.1)
    raise Failure(
        f"not within {within:.0f} s: {what() if callable(what) else what} (last: {last!r})"
    )


def ask(path: Path, order: dict[str, Any]) -> dict[str, Any]:
    """Send one line to a control socket and return the answer."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        with client.makefile("rw") as lines:
            lines.write(json.dumps(order) + "\n")
            lines.flush()
            answer: dict[str, Any] = json.loads(lines.readline())
            return answer


def reeds(op: str, **arguments: Any) -> dict[str, Any]:
    return ask(REEDS, {"op": op, **arguments})


def said(kind: str) -> dict[str, Any]:
    """Return the first message of *kind* that the board process tells an observer."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(5)
        client.connect(str(LINK))
        with client.makefile("r") as lines:
            for line in lines:
                message: dict[str, Any] = json.loads(line)
                if message.get("kind") == kind:
                    content: dict[str, Any] = message[kind]
                    return content
    raise Failure(f"no {kind} from the board process")


def snapshot() -> dict[str, Any]:
    return said("snapshot")


def page(path: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:8080{path}", timeout=5) as answer:
        content: dict[str, Any] = json.load(answer)
        return content


def command(name: str, token: str) -> int:
    """Send an operator's command to the page and return the status of the answer."""
    request = urllib.request.Request(
        "http://127.0.0.1:8080/api/commands",
        data=json.dumps({"command": name}).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def prop(name: str, unit: str = "boardctl") -> str:
    return run("systemctl", "show", "-p", name, "--value", unit).strip()


def active(unit: str = "boardctl") -> bool:
    return prop("ActiveState", unit) == "active"


def pid(unit: str = "boardctl") -> int:
    return int(prop("MainPID", unit))


def journal(unit: str = "boardctl") -> str:
    return run("journalctl", "-u", unit, "-o", "cat", "--no-pager", "-b")


def cell(square: str) -> int:
    return (int(square[1]) - 1) * 9 + "abcdefghi".index(square[0])


PLAN = """
import json, random
from engine import Game, load_variant
rng, game = random.Random(11), Game.start(load_variant("market"))
cells, moves = int(game.position.occupied), []
while len(moves) < 30:
    quiet = [ply for ply in game.legal_plies if not ply.captures]
    game = game.push(rng.choice(quiet))
    moves.append(str(game.last))
print(json.dumps({"cells": cells, "moves": moves}))
"""
"""A game without captures, planned by the installed rules in one go: Python starts slowly here."""

plan: dict[str, Any] = {}
played: list[str] = []
"""What has been done to the board since it was set up: the truth."""


def set_up() -> None:
    """Put the pieces where the game begins."""
    plan.update(json.loads(run(str(CURRENT / "bin/python"), "-c", PLAN)))
    played.clear()
    reeds("set", cells=plan["cells"])
    until(lambda: snapshot()["reading"] == "in-sync", what=snapshot)


def play(count: int = 1) -> None:
    """Move pieces by hand as planned, and wait until the table shows each move."""
    for _ in range(count):
        move = plan["moves"][len(played)]
        start, end = move.split("-")
        reeds("lift", cell=cell(start))
        time.sleep(0.4)
        reeds("put", cell=cell(end))
        played.append(move)
        as_played()


def as_played() -> None:
    """Wait until the table shows exactly what was played."""
    until(lambda: snapshot()["moves"] == played, what=lambda: (played, snapshot()))


def lit() -> int:
    """Return how many lights of the newest frame are not dark."""
    return sum(any(led) for led in ask(LIGHTS, {})["leds"])


@contextlib.contextmanager
def dropped_in(text: str) -> Iterator[None]:
    """Add lines to the board's [Service] section for a while."""
    folder = Path("/run/systemd/system/boardctl.service.d")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "check.conf").write_text(f"[Service]\n{text}\n")
    run("systemctl", "daemon-reload")
    try:
        yield
    finally:
        shutil.rmtree(folder)
        run("systemctl", "daemon-reload")


def within_the_unit(program: str) -> str:
    """Run Python code under the unit's device rules, and return what it printed."""
    group = prop("ControlGroup")
    code = f"open('/sys/fs/cgroup{group}/cgroup.procs', 'w').write('0')\n{program}"
    return run(sys.executable, "-c", code, check_code=False)


def files() -> set[str]:
    """Return every path that an installation could leave behind."""
    places = (
        "/etc",
        "/opt",
        "/usr",
        "/var/lib",
        "/var/cache",
        "/home",
        "/root",
        "/boot",
        "/run/boardctl",
    )
    found = run("find", *places, "-xdev", "-not", "-path", f"{BUNDLE}*", check_code=False)
    passing = re.compile(
        r"__pycache__|\.pyc$|/var/lib/systemd|find: |/var/cache/ldconfig|/run/systemd|-$"
    )
    return {line for line in found.splitlines() if not passing.search(line)}


BEFORE: set[str] = set()
ACCOUNTS: set[str] = set()


def accounts() -> set[str]:
    lines = (Path("/etc/passwd").read_text() + Path("/etc/group").read_text()).splitlines()
    return {line.split(":")[0] for line in lines}


def serve(script: str, *arguments: str) -> None:
    """Start one of our device servers on the model inside the wheel."""
    (wheel,) = (BUNDLE / "wheels").glob("boardctl-*.whl")
    log = Path(f"/run/{script}.log").open("wb")  # noqa: SIM115  for the life of the server
    subprocess.Popen(
        [sys.executable, str(PAYLOAD / "tests" / "machine" / script), *arguments],
        stdout=log,
        stderr=log,
        env={**os.environ, "PYTHONPATH": f"{wheel}:{PAYLOAD}"},
    )
