#!/usr/bin/env bash
# Makes a folder from which boardctl installs on a Pi without internet.
#
#   scripts/bundle.sh [--out DIR] [--machine aarch64|x86_64] [--python 3.11]... [--wheel FILE]
#
# Result: DIR/wheels (boardctl, its dependencies, the Pi's drivers) and DIR/systemd with install.sh.
# Copy DIR to the Pi and run `sudo systemd/install.sh` in it. Runs on any machine with Python 3.11
# and pip: the wheels are chosen for the target, by default 64-bit Raspberry Pi OS Bookworm (3.11)
# and Trixie (3.13). boardctl itself goes in uncompiled, so one wheel serves every target.
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PYTHON=${PYTHON:-python3}
out=$ROOT/dist/bundle machine=aarch64 pythons=() wheel=""

fail() { printf 'bundle.sh: %s\n' "$*" >&2; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift ;;
    --machine) machine=$2; shift ;;
    --python) pythons+=("$2"); shift ;;
    --wheel) wheel=$2; shift ;;
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) fail "unknown option '$1'; see --help" ;;
  esac
  shift
done
if [ ${#pythons[@]} -eq 0 ]; then pythons=(3.11 3.13); fi
case $machine in aarch64 | x86_64) ;; *) fail "no such machine '$machine'; aarch64 or x86_64" ;; esac

pip() { "$PYTHON" -m pip --disable-pip-version-check "$@"; }

rm -rf "$out"
mkdir -p "$out/wheels"
cp -r "$ROOT/systemd" "$ROOT/LICENSE" "$out/"
if [ -n "$wheel" ]; then
  cp "$wheel" "$out/wheels/"
else
  # Built from a copy: setuptools leaves build/ and *.egg-info beside what it builds.
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  # Nothing but the sources: other programs may be writing caches beside them.
  tar -c -C "$ROOT" --exclude=__pycache__ --exclude='*.so' \
    pyproject.toml setup.py README.md LICENSE boardctl engine hardware | tar -x -C "$copy"
  BOARDCTL_PURE=1 pip wheel -q --no-deps -w "$out/wheels" "$copy" 2>"$out/pip.log" ||
    { cat "$out/pip.log" >&2; fail "the project's own wheel cannot be built"; }
fi

# Requirements of one target. pip evaluates markers for the machine it runs on, so the extra `pi`
# is evaluated here for the target instead.
requirements() { # $1: Python version
  "$PYTHON" - "$ROOT/pyproject.toml" "$1" "$machine" <<'PY'
import sys
import tomllib

from pip._vendor.packaging.requirements import Requirement

path, python, machine = sys.argv[1:]
project = tomllib.load(open(path, "rb"))["project"]
target = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux",
          "platform_system": "Linux", "platform_machine": machine, "implementation_name": "cpython"}
for text in project["dependencies"] + project["optional-dependencies"]["pi"]:
    need = Requirement(text)
    if need.marker is None or need.marker.evaluate(target):
        print(f"{need.name}{need.specifier}")
PY
}

platforms=()
for tag in manylinux2014 manylinux_2_17 manylinux_2_24 manylinux_2_28 manylinux_2_31 manylinux_2_34 linux; do
  platforms+=(--platform "${tag}_$machine")
done
for python in "${pythons[@]}"; do
  echo "wheels for Python $python on $machine"
  binary=() source=()
  while read -r need; do
    if pip download -q "${platforms[@]}" --python-version "$python" --implementation cp --only-binary=:all: \
      -d "$out/wheels" "$need" 2>"$out/pip.log"; then
      binary+=("$need")
    else
      source+=("$need")
    fi
  done < <(requirements "$python")
  # No wheel anywhere: the source goes along and is compiled on the Pi.
  for need in "${source[@]}"; do
    echo "  $need: no wheel, the source goes along"
    pip download -q --no-deps --no-binary=:all: -d "$out/wheels" "$need" 2>"$out/pip.log" ||
      { cat "$out/pip.log" >&2; fail "$need can be had neither as wheel nor as source"; }
  done
done
# What compiles those sources, and pip's isolated builds, need no internet either.
pip download -q --no-deps -d "$out/wheels" "setuptools>=77" wheel
rm -f "$out/pip.log"
echo "$out: $(find "$out/wheels" -type f | wc -l) files, $(du -sm "$out" | cut -f1) MB"
