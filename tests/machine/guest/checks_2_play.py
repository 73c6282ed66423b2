"""Playing, breaking chips, killing and restarting."""

# ruff: noqa: T201, TID251  the console is the report, and real time passes here
from __future__ import annotations

import json
import os
import time
import urllib.request
from pathlib import Path

from tests.machine.guest.harness import (
    BOARDCTL,
    CONFIG,
    LIGHTS,
    STATE,
    active,
    as_played,
    ask,
    check,
    command,
    expect,
    journal,
    lit,
    page,
    pid,
    play,
    played,
    prop,
    reeds,
    run,
    set_up,
    snapshot,
    until,
)

TIMES: dict[str, float] = {}
"""When the board process was killed, and when the next one began; monotonic seconds."""


@check("setting the pieces up begins a game")
def _() -> None:
    set_up()


@check("moves played by hand are read")
def _() -> None:
    play(4)


@check("the lights are lit while a game is on")
def _() -> None:
    until(lambda: lit() > 0, what="no light")


@check("the page shows the same game")
def _() -> None:
    until(lambda: page("/api/state")["moves"] == played, what=lambda: page("/api/state"))
    expect(
        urllib.request.urlopen("http://127.0.0.1:8080/healthz", timeout=5).status == 200, "healthz"
    )


@check("the page takes the operator's token from its file, and no other")
def _() -> None:
    token = (STATE / "token").read_text().strip()
    expect(command("undo", "a-wrong-token") == 401, "a wrong token was taken")
    as_played()
    expect(command("pause", token) == 200, journal("boardctl-web")[-1000:])
    until(lambda: snapshot()["reading"] == "paused", what=snapshot)
    expect(command("resume", token) == 200, journal("boardctl-web")[-1000:])
    as_played()


@check("a silent chip is named within two seconds and its squares are unknown")
def _() -> None:
    reeds("silent", chip=0x21, on=True)
    begin = time.monotonic()
    until(lambda: len(snapshot()["unknown"]) == 14 and snapshot()["fault"], what=snapshot)
    took = time.monotonic() - begin
    expect("0x21" in snapshot()["fault"]["reason"], snapshot()["fault"])
    expect(took < 2, f"{took:.1f} s")


@check("the chip is taken back when it answers again, and play goes on")
def _() -> None:
    reeds("silent", chip=0x21, on=False)
    until(lambda: not snapshot()["unknown"] and not snapshot()["fault"], what=snapshot)
    as_played()
    play()


@check("a chip that lost its settings is set up again and nothing is invented")
def _() -> None:
    reeds("reset", chip=0x22)
    until(lambda: reeds("registers", chip=0x22)["registers"][0] == [0x7F, 0x7F], what="not set up")
    until(lambda: snapshot()["reading"] == "in-sync" and not snapshot()["unknown"], what=snapshot)
    as_played()


@check("a chip that blocks the bus does not hang the daemon")
def _() -> None:
    restarts = prop("NRestarts")
    reeds("holds", chip=0x23, on=True)
    until(lambda: snapshot()["fault"], what=snapshot)
    reeds("holds", chip=0x23, on=False)
    until(lambda: not snapshot()["fault"], what=snapshot)
    expect(prop("NRestarts") == restarts, journal()[-2000:])
    play()


@check("killed (SIGKILL): back within seconds with the game as it stands on the board")
def _() -> None:
    old, killed = pid(), time.monotonic()
    os.kill(old, 9)
    until(lambda: pid() not in {0, old} and active(), what=lambda: journal()[-2000:])
    as_played()
    print(f"  killed to playing: {time.monotonic() - killed:.1f} s")
    began = int(prop("ExecMainStartTimestampMonotonic")) / 1e6
    TIMES.update(killed=killed, began=began)
    play()


@check("killed: ExecStopPost had the lights dark before the restart")
def _() -> None:
    dark = [moment for moment in ask(LIGHTS, {})["dark_at"] if moment > TIMES["killed"]]
    expect(dark and dark[0] < TIMES["began"], (dark, TIMES))


@check("stopped dead (SIGSTOP): the watchdog restarts it")
def _() -> None:
    old = pid()
    os.kill(old, 19)
    until(lambda: pid() not in {0, old} and active(), within=60, what=lambda: journal()[-2000:])
    expect("atchdog" in run("journalctl", "-u", "boardctl", "--no-pager", "-b"), journal()[-2000:])
    as_played()


@check("the page is restarted without the board")
def _() -> None:
    board = pid()
    run("systemctl", "restart", "boardctl-web")
    until(
        lambda: page("/api/state")["moves"] == played, what=lambda: journal("boardctl-web")[-2000:]
    )
    expect(pid() == board, "the board was restarted as well")


@check("the board is restarted without the page, which finds it again")
def _() -> None:
    web = pid("boardctl-web")
    run("systemctl", "restart", "boardctl")
    as_played()
    until(lambda: page("/api/state")["moves"] == played, what=lambda: page("/api/state"))
    expect(pid("boardctl-web") == web, "the page was restarted as well")


@check("a reload keeps the process and the game")
def _() -> None:
    board = pid()
    run("systemctl", "reload", "boardctl")
    time.sleep(1)
    expect(pid() == board and active(), journal()[-2000:])
    as_played()


@check("SIGTERM: stops cleanly in time, dark, and keeps the state")
def _() -> None:
    play()
    begin = time.monotonic()
    run("systemctl", "stop", "boardctl")
    print(f"  stopped and dark after {time.monotonic() - begin:.1f} s")
    expect(prop("Result") == "success", prop("Result"))  # `timeout` past TimeoutStopSec
    expect(lit() == 0, "not dark")
    run("systemctl", "start", "boardctl")
    as_played()


@check("a wrong configuration ends with 78 and is not tried again")
def _() -> None:
    good = CONFIG.read_text()
    CONFIG.write_text(good.replace("[leds]\n", "[leds]\nbrightnes = 0.5\n", 1))
    run("systemctl", "restart", "boardctl", check_code=False)
    time.sleep(3)  # RestartSec is 2
    try:
        expect(prop("ActiveState") == "failed", prop("ActiveState"))
        expect(prop("ExecMainStatus") == "78", prop("ExecMainStatus"))
        expect("did you mean" in journal(), journal()[-1000:])
    finally:
        CONFIG.write_text(good)
        run("systemctl", "restart", "boardctl")
    as_played()


def keeps_games() -> bool:
    """Whether the table says nothing against its disk."""
    return snapshot()["fault"] is None


def is_read_only() -> bool:
    """Whether the disk takes no writes."""
    return bool(os.statvfs("/").f_flag & os.ST_RDONLY)


@check("a disk that becomes read-only stops no game")
def _() -> None:
    until(lambda: snapshot()["final"] == len(played), what=snapshot)
    board, final = pid(), len(played)
    # As after an error of the card: whoever has files open to write does not prevent it.
    Path("/proc/sysrq-trigger").write_text("u")
    until(is_read_only, what="the disk is still written to")
    play(2)
    until(lambda: not keeps_games(), what=snapshot)
    expect("games are not being kept" in snapshot()["fault"]["reason"], snapshot()["fault"])
    expect(snapshot()["final"] == final, snapshot())
    expect(pid() == board and active(), journal()[-2000:])


@check("killed on a read-only disk: back with the game as it stands on the board")
def _() -> None:
    old = pid()
    os.kill(old, 9)
    until(lambda: pid() not in {0, old} and active(), what=lambda: journal()[-2000:])
    as_played()
    until(lambda: not keeps_games(), what=snapshot)
    play()


@check("a disk that takes writes again has every ply that was played")
def _() -> None:
    run("mount", "-o", "remount,rw", "/")
    play()
    until(keeps_games, what=snapshot)
    until(lambda: snapshot()["final"] >= len(played) - 1, what=snapshot)
    number = json.loads(run(BOARDCTL, "games", "list", "--limit", "1", "--json"))[0]["id"]
    game = json.loads(run(BOARDCTL, "games", "show", str(number), "--json"))
    expect(game["moves"] == played, (game["moves"], played))
