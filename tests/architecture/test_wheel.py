"""The wheel holds the packages that pyproject.toml lists, and nothing else.

`engine`, `hardware` and `tests` are generic names: what slips into the wheel would shadow, or be
shadowed by, packages of others.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = set(PROJECT["tool"]["setuptools"]["packages"])
NEEDED = ["pyproject.toml", "setup.py", "README.md", "LICENSE", "boardctl", "engine", "hardware"]
UNREACHABLE = ("No matching distribution found for setuptools", "No module named pip")
NO_CODE = shutil.ignore_patterns("__pycache__", "*.so", "*.c")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The files of a wheel built from a copy of the tree, uncompiled."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in NEEDED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=NO_CODE)
        elif path.exists():
            shutil.copy(path, source)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    done = subprocess.run(
        [*command, str(source)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"BOARDCTL_PURE": "1"},
    )
    if any(text in done.stderr for text in UNREACHABLE):
        pytest.skip("needs a package index for the build tools, and none was reached")
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_it_holds_exactly_the_listed_packages(names: list[str]) -> None:
    modules = {PurePosixPath(name) for name in names if name.endswith(".py")}

    assert {".".join(path.parent.parts) for path in modules} == PACKAGES


def test_every_package_of_the_tree_is_listed() -> None:
    packages = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in ("boardctl", "engine", "hardware")
        for path in (ROOT / top).rglob("__init__.py")
    }

    assert packages == PACKAGES


def test_every_module_of_the_tree_is_in_it(names: list[str]) -> None:
    in_tree = {
        path.relative_to(ROOT).as_posix()
        for top in ("boardctl", "engine", "hardware")
        for path in (ROOT / top).rglob("*.py")
    }

    assert in_tree <= set(names)


def test_the_data_that_the_program_reads_is_in_it(names: list[str]) -> None:
    patterns = {"boardctl/web/static": "*", "engine/rulesets": "*.toml"}
    data = {
        path.relative_to(ROOT).as_posix()
        for folder, pattern in patterns.items()
        for path in (ROOT / folder).rglob(pattern)
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert data <= set(names)
    for package in ("boardctl", "engine", "hardware"):
        assert f"{package}/py.typed" in names


def test_it_is_uncompiled_and_holds_no_tests(names: list[str]) -> None:
    assert not [name for name in names if name.endswith((".so", ".c"))]
    assert not [
        name
        for name in names
        if name.split("/")[0] not in {"boardctl", "engine", "hardware"}
        and ".dist-info" not in name.split("/")[0]
    ]
