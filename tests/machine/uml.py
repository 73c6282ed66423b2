"""Boots an image in User-Mode Linux.

The kernel is Debian's package user-mode-linux: an ordinary program, so no KVM is needed. The guest
has no network device.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def boot(base: Path, payload: Path, log: Path, *, timeout_s: float) -> str:
    """Boot *base* with *payload* as second disk, wait for it to power off, return its console.

    Whatever the guest writes goes to a layer that is thrown away.

    The programs of the guest are processes of the host that the kernel's process traces. If that
    one ended alone, they would go on *as programs of the host*: so all of them live in a PID
    namespace that ends with it. It has no network either.
    """
    layer = log.with_suffix(".cow")
    layer.unlink(missing_ok=True)
    kernel = ["linux.uml", "mem=640M", f"ubd0={layer},{base}", f"ubd1r={payload}", "root=/dev/ubda"]
    kernel += ["rw", "con=null", "con0=fd:0,fd:1", "quiet", "systemd.show_status=0"]
    command = ["unshare", "--pid", "--net", "--mount", "--fork", "--kill-child=KILL", "--"]
    # The shell stays as the namespace's first process; when the kernel is gone, it takes all along.
    command += ["sh", "-c", f"{shlex.join(kernel)}; exit 0"]
    with log.open("wb") as console:
        try:
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                timeout=timeout_s,
                check=False,
                env=os.environ | {"TMPDIR": "/dev/shm"},
            )
        except subprocess.TimeoutExpired:
            console.write(f"\nFAIL the guest powers off within {timeout_s:.0f} s\n".encode())
        finally:
            layer.unlink(missing_ok=True)
    return re.sub(r"\x1b\[[0-9;]*m|\r", "", log.read_text(errors="replace"))
