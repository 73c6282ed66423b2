"""Upgrading and going back, the kernel's own bus, putting everything away."""

# ruff: noqa: T201  the console is the report, and real time passes here
from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.machine.guest.harness import (
    ACCOUNTS,
    BEFORE,
    BOOT_CONFIG,
    BUNDLE,
    CONFIG,
    CURRENT,
    PREVIOUS,
    STATE,
    UNITS,
    accounts,
    as_played,
    check,
    dropped_in,
    expect,
    files,
    journal,
    page,
    play,
    played,
    prop,
    run,
    snapshot,
    until,
)


@check("an upgrade keeps archive, configuration and game")
def _() -> None:
    config, old = CONFIG.read_text(), str(CURRENT.readlink())
    text = run(str(BUNDLE / "systemd/install.sh"), timeout=400)
    expect(str(CURRENT.readlink()) != old, text)
    expect(str(PREVIOUS.readlink()) == old, text)
    expect(CONFIG.read_text() == config, "the configuration changed")
    as_played()
    until(lambda: page("/api/state")["moves"] == played, what=lambda: page("/api/state"))


@check("an upgrade is undone by --rollback, even if it has changed the archive's format")
def _() -> None:
    run("systemctl", "stop", "boardctl")
    with sqlite3.connect(STATE / "games.db") as archive:
        archive.execute("PRAGMA user_version = 999")
    archive.close()
    old = str(PREVIOUS.readlink())
    text = run(str(BUNDLE / "systemd/install.sh"), "--rollback")
    expect(str(CURRENT.readlink()) == old, text)
    expect("newer version" in text and (STATE / "newer/games.db").exists(), text)
    as_played()
    play()


@check("udev gives the kernel's own bus to the group i2c")
def _() -> None:
    run("modprobe", "i2c-stub", "chip_addr=0x20,0x21,0x22,0x23,0x24,0x25")
    run("udevadm", "settle")
    stub = Path("/dev/i2c-0")
    expect(stub.group() == "i2c" and stub.stat().st_mode & 0o777 == 0o660, run("ls", "-l", "/dev"))


@check("i2c-stub: the unit reads the kernel's own bus")
def _() -> None:
    run("systemctl", "stop", "boardctl")
    with dropped_in("Environment=BOARDCTL_SWITCHES__BUS=0"):
        run("systemctl", "start", "boardctl")
        run("i2cset", "-y", "0", "0x20", "0x12", "0x02")  # GPA1: b1, empty when a game begins
        run("i2cset", "-y", "0", "0x22", "0x13", "0x10")  # GPB4: d5, the king's neighbour
        until(
            lambda: "b1" in snapshot()["extra"] and "d5" not in snapshot()["missing"]
            and "c5" in snapshot()["missing"],
            what=snapshot,
        )  # fmt: skip
        iodir = run("i2cget", "-y", "0", "0x20", "0x00") + run("i2cget", "-y", "0", "0x20", "0x01")
        expect(iodir.split() == ["0x7f", "0x7f"], iodir)
        run("systemctl", "stop", "boardctl")


@check("an absent bus ends with 69 and is tried again")
def _() -> None:
    with dropped_in("Environment=BOARDCTL_SWITCHES__BUS=7 BOARDCTL_SWITCHES__BUS_WAIT_S=1"):
        run("systemctl", "start", "--no-block", "boardctl")
        until(lambda: prop("ExecMainStatus") == "69", what=lambda: journal()[-1000:])
        until(lambda: int(prop("NRestarts")) >= 1, what=lambda: journal()[-1000:])
        run("systemctl", "stop", "boardctl")


@check("the journal tells no traceback and keeps its limits")
def _() -> None:
    for unit in UNITS:
        expect("Traceback" not in journal(unit), journal(unit)[-3000:])
    lines = len(journal().splitlines())
    print(f"  {lines} lines of journal")
    expect(lines < 400, f"{lines} lines in some minutes")


@check("uninstall leaves nothing behind but the archive, and says so")
def _() -> None:
    text = run(str(BUNDLE / "systemd/install.sh"), "--uninstall")
    expect(f"kept: {STATE}" in text, text)
    left = {
        path for path in files() - BEFORE if not path.startswith(f"{STATE}/") and path != str(STATE)
    }
    expect(not left, sorted(left))
    expect((STATE / "games.db").exists(), list(STATE.iterdir()))
    expect(accounts() == ACCOUNTS, accounts() ^ ACCOUNTS)
    expect(
        BOOT_CONFIG.read_text().strip() == "# firmware\n[pi4]\ndtparam=audio=on",
        BOOT_CONFIG.read_text(),
    )
    for unit in UNITS:
        expect(prop("LoadState", unit) == "not-found", prop("LoadState", unit))
