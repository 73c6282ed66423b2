"""Installing, starting, and what the processes may and may not do."""

# ruff: noqa: T201  the console is the report, and real time passes here
from __future__ import annotations

import functools
import re
import shutil
import time
from pathlib import Path

from tests.machine.guest.harness import (
    ACCOUNTS,
    BEFORE,
    BOARDCTL,
    BOOT_CONFIG,
    BUNDLE,
    CONFIG,
    CURRENT,
    LIGHTS,
    LINK,
    PAYLOAD,
    REEDS,
    STATE,
    UNITS,
    accounts,
    active,
    ask,
    check,
    expect,
    files,
    journal,
    pid,
    prop,
    reeds,
    run,
    serve,
    until,
    within_the_unit,
)


@check("the network is absent")
def _() -> None:
    devices = {
        line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]
    }
    expect(not devices - {"lo", "tunl0", "sit0", "ip6tnl0", "teql0", "ip_vti0"}, devices)
    run("ip", "link", "set", "lo", "up", check_code=False)


@check("the bus made of software appears as /dev/i2c-1")
def _() -> None:
    shutil.copytree(PAYLOAD / "bundle", BUNDLE)
    run("modprobe", "cuse")
    run("groupadd", "-f", "-r", "spi")  # as Raspberry Pi OS has it; gpio is left to the script
    BOOT_CONFIG.parent.mkdir(parents=True, exist_ok=True)
    BOOT_CONFIG.write_text("# firmware\n[pi4]\ndtparam=audio=on\n")
    BEFORE.update(files())
    ACCOUNTS.update(accounts())
    serve("cuse_i2c.py", "1", str(REEDS))
    serve("cuse_spi.py", str(LIGHTS))
    until(
        lambda: reeds("registers", chip=0x20), what=lambda: Path("/run/cuse_i2c.py.log").read_text()
    )
    until(lambda: ask(LIGHTS, {}), what=lambda: Path("/run/cuse_spi.py.log").read_text())


@check("i2cdetect finds six chips through the kernel's own ioctls")
def _() -> None:
    shown = run("i2cdetect", "-y", "1", "0x20", "0x27")
    found = {word for word in shown.split() if re.fullmatch(r"2[0-7]", word)}
    expect(found == {"20", "21", "22", "23", "24", "25"}, shown)


@check("a dry run of the install script changes nothing")
def _() -> None:
    text = run(str(BUNDLE / "systemd/install.sh"), "--dry-run")
    expect("would run: python3 -m venv" in text, text)
    expect(files() == BEFORE, files() ^ BEFORE)


@check("the install script installs from a folder of wheels without internet")
def _() -> None:
    text = run(str(BUNDLE / "systemd/install.sh"), "--no-start", timeout=400)
    Path("/run/install.log").write_text(text)
    expect(CONFIG.exists() and CURRENT.is_symlink(), text)
    expect("boardctl 0" in run(BOARDCTL, "--version"), run(BOARDCTL, "--version"))


@check("the install script switches I2C and SPI on in config.txt")
def _() -> None:
    text = BOOT_CONFIG.read_text()
    for line in ("[all]", "dtparam=i2c_arm=on", "dtparam=spi=on"):
        expect(line in text, text)


@check("doctor was run and found the six chips")
def _() -> None:
    text = Path("/run/install.log").read_text()
    found = text.split("== Doctor")[1].split("== Start")[0]
    expect("Traceback" not in text, text)
    for chip in range(0x20, 0x26):
        expect(f"{chip:#x}" in found or f" {chip:x}" in found, text)


@check("Type=notify: the unit is active once the first scan is made")
def _() -> None:
    text = CONFIG.read_text()
    CONFIG.write_text(text.replace("[leds]\n", '[leds]\ndriver = "spi"\n', 1))
    run(BOARDCTL, "config", "check", str(CONFIG))
    reeds("set", cells=0)
    begin = time.monotonic()
    run("systemctl", "start", *UNITS)
    print(f"  start to active: {time.monotonic() - begin:.1f} s")
    expect(active(), run("systemctl", "status", "boardctl", check_code=False))
    expect(prop("StatusText"), "no status line")


@check("systemctl status is green for both units")
def _() -> None:
    for unit in UNITS:
        until(functools.partial(active, unit), what=functools.partial(journal, unit))
        expect(prop("NRestarts", unit) == "0", journal(unit)[-2000:])
        expect("active (running)" in run("systemctl", "status", unit), unit)


@check("the board process is unprivileged, without capabilities, under seccomp")
def _() -> None:
    status = Path(f"/proc/{pid()}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    expect(fields["Uid"].split()[0] != "0", fields["Uid"])
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        expect(int(fields[name], 16) == 0, f"{name} {fields[name]}")
    expect(fields["NoNewPrivs"] == "1", fields)
    expect(fields["Seccomp"] == "2", fields)


@check("the board process has no network")
def _() -> None:
    own, host = (Path(f"/proc/{process}/ns/net").readlink() for process in (pid(), 1))
    expect(own != host, "network of the host")
    sockets = run("nsenter", "-t", str(pid()), "-n", "ip", "-o", "link")
    expect(
        all(": lo:" in line or "NOARP" in line or "DOWN" in line for line in sockets.splitlines()),
        sockets,
    )


@check("the unit may open its bus and its lights, and no other device")
def _() -> None:
    run("modprobe", "i2c-dev")
    program = (
        "import os\n"
        "names = 'i2c-1', 'spidev0.0', 'ubda', 'mem', 'cuse', 'kmsg'\n"
        "for path in [f'/dev/{name}' for name in names]:\n"
        "    try: os.close(os.open(path, os.O_RDWR)); print(path, 'open')\n"
        "    except OSError as error: print(path, error.strerror)\n"
    )
    found = within_the_unit(program)
    opened = {line.split()[0] for line in found.splitlines() if line.endswith(" open")}
    expect(opened == {"/dev/i2c-1", "/dev/spidev0.0"}, found)


@check("the unit cannot write but to its state, and sees no home")
def _() -> None:
    inside = ("nsenter", "-t", str(pid()), "-m")
    for place in ("/etc", "/usr", "/opt/boardctl", "/boot", "/var/log"):
        text = run(*inside, "touch", f"{place}/x", check_code=False)
        expect("Read-only" in text, f"{place}: {text}")
    expect(
        not run(*inside, "ls", "-A", "/root", check_code=False).strip().startswith("bundle"),
        "sees /root",
    )
    run(*inside, "touch", str(STATE / "x"))
    (STATE / "x").unlink()


@check("archive, token and socket are closed to other users")
def _() -> None:
    expect(STATE.stat().st_mode & 0o777 == 0o750, oct(STATE.stat().st_mode))
    expect(STATE.owner() == "boardctl", STATE.owner())
    for path in STATE.iterdir():
        expect(not path.stat().st_mode & 0o007, f"{path} {oct(path.stat().st_mode)}")
    expect(LINK.stat().st_mode & 0o777 == 0o660, oct(LINK.stat().st_mode))
    expect(LINK.group() == "boardctl", LINK.group())


@check("bit 7 of both ports is an output: IODIR reads 0x7f")
def _() -> None:
    for chip in range(0x20, 0x26):
        iodir, _, *_ = reeds("registers", chip=chip)["registers"]
        expect(iodir == [0x7F, 0x7F], (hex(chip), iodir))
