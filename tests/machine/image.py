"""Disk images for User-Mode Linux.

A base image holds Debian with systemd and Python but nothing of this project. It is made once by
mmdebstrap from the packages that this machine's apt is set up for, and kept below
`BOARDCTL_MACHINE_CACHE` (default `/var/tmp/boardctl-machine`) under a name that changes with its
recipe. Each run boots a copy-on-write layer over it, with a second disk that holds the project.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

PACKAGES: Final = ("systemd", "systemd-sysv", "dbus", "udev", "kmod", "python3", "python3-venv",
                   "i2c-tools", "iproute2")  # fmt: skip
PYTHON_OF: Final = {"bookworm": "3.11", "trixie": "3.13"}
MODULES: Final = (
    "drivers/i2c/i2c-core",
    "drivers/i2c/i2c-dev",
    "drivers/i2c/i2c-stub",
    "fs/fuse/fuse",
    "fs/fuse/cuse",
)
"""Of the kernel's modules: i2c-dev and i2c-stub are the real thing; cuse carries our own bus."""

MASKED: Final = tuple(
    """
    """.split()  # noqa: SIM905  forty quoted lines are no easier to read
)
"""Units that a table does not need and that cost seconds of boot."""

CHECKS_UNIT: Final = """\
[Unit]
Description=Checks of the second disk
After=multi-user.target
[Service]
Type=simple
ExecStartPre=/bin/mount -o ro /dev/ubdb /payload
ExecStart=/usr/bin/python3 -u /payload/guest/checks.py
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
ExecStopPost=/bin/systemctl poweroff --force --no-block
[Install]
WantedBy=multi-user.target
"""

UML_MODULES: Final = Path("/usr/lib/uml/modules")
IMAGE_MB: Final = 1200


def cache() -> Path:
    """Return the folder for images; it is made when it is missing."""
    folder = Path(os.environ.get("BOARDCTL_MACHINE_CACHE", "/var/tmp/boardctl-machine"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def base_image(suite: str) -> Path:
    """Return the base image of *suite* (`bookworm` or `trixie`), building it when it is missing."""
    kernel = next(UML_MODULES.iterdir()).name
    recipe = Path(__file__).read_bytes() + f"{suite} {kernel}".encode()
    image = cache() / f"base-{suite}-{hashlib.sha256(recipe).hexdigest()[:12]}.ext4"
    if not image.exists():
        for stale in cache().glob(f"base-{suite}-*"):
            stale.unlink()
        root = cache() / f"root-{suite}"
        shutil.rmtree(root, ignore_errors=True)
        _bootstrap(suite, root)
        _configure(root, kernel)
        make_disk(root, image, IMAGE_MB)
        shutil.rmtree(root)
    return image


def make_disk(folder: Path, image: Path, size_mb: int) -> None:
    """Write *folder* as an ext4 file system of *size_mb* megabytes to *image*."""
    unfinished = image.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    command = ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", str(folder)]
    _run([*command, str(unfinished), f"{size_mb}M"])
    unfinished.rename(image)


def _bootstrap(suite: str, root: Path) -> None:
    command = ["mmdebstrap", "--mode=root", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
    command += [
        "--dpkgopt=path-exclude=/usr/share/doc/*",
        "--dpkgopt=path-exclude=/usr/share/man/*",
    ]
    command += ["--dpkgopt=path-exclude=/usr/share/locale/*", suite, str(root)]
    _run([*command, *_sources(suite)])


def _sources(suite: str) -> list[str]:
    """Return the apt sources of this machine that serve *suite*; none: mmdebstrap's default."""
    files = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    word = re.compile(rf"^(?:deb |Suites:).*(?<=\s){suite}(?=\s|$)", re.MULTILINE)
    return [str(file) for file in files if file.is_file() and word.search(file.read_text())]


def _configure(root: Path, kernel: str) -> None:
    """Add the kernel's modules and the unit that runs the checks, and drop what costs time."""
    modules = root / "lib/modules" / kernel
    for name in MODULES:
        target = modules / "kernel" / f"{name}.ko"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(UML_MODULES / kernel / "kernel" / f"{name}.ko", target)
    for name in ("modules.builtin", "modules.order"):
        shutil.copy(UML_MODULES / kernel / name, modules)
    _run(["chroot", str(root), "depmod", kernel])
    units = root / "etc/systemd/system"
    for unit in MASKED:
        link = units / unit
        link.unlink(missing_ok=True)
        link.symlink_to("/dev/null")
    (units / "checks.service").write_text(CHECKS_UNIT)
    wanted = units / "multi-user.target.wants"
    wanted.mkdir(exist_ok=True)
    (wanted / "checks.service").symlink_to("../checks.service")
    (root / "payload").mkdir()
    (root / "etc/hostname").write_text("table\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost table\n")
    # With an empty machine-id systemd would take this for a first boot and enable presets.
    (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
    (root / "etc/fstab").write_text("")
    for name in ("etc/.updated", "var/.updated"):
        (root / name).touch()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
