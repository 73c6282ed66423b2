#!/usr/bin/env bash
# Installs boardctl on Raspberry Pi OS (64 bit, Bookworm or Trixie) or Debian 12/13, and removes it.
#
#   sudo systemd/install.sh                  from a clone, or from an unpacked bundle (no internet needed)
#   sudo systemd/install.sh --wheels DIR     from a folder of wheels, without internet
#   systemd/install.sh --dry-run             says what it would do and changes nothing
#   sudo systemd/install.sh --rollback       back to the version before the last upgrade
#   sudo systemd/install.sh --uninstall      removes everything but the archive
#
# Each version lives in a virtual environment of its own below /opt/boardctl/releases;
# /opt/boardctl/current points to the one that runs. Running the script again is an upgrade.
set -euo pipefail

readonly PREFIX=/opt/boardctl
readonly CONFIG=/etc/boardctl/boardctl.toml
readonly STATE=/var/lib/boardctl
readonly UNITS=(boardctl.service boardctl-web.service)
readonly MARK_BEGIN="# boardctl: begin (systemd/install.sh)"
readonly MARK_END="# boardctl: end"
readonly MARK_BEGIN_RE="# boardctl: begin (systemd\/install.sh)"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readonly HERE

# What goes where: source below systemd/, target.
readonly FILES=(
  "boardctl.service /etc/systemd/system/boardctl.service"
  "boardctl-web.service /etc/systemd/system/boardctl-web.service"
  "sysusers.d/boardctl.conf /etc/sysusers.d/boardctl.conf"
  "tmpfiles.d/boardctl.conf /etc/tmpfiles.d/boardctl.conf"
  "udev/60-boardctl.rules /etc/udev/rules.d/60-boardctl.rules"
  "journald.conf.d/boardctl.conf /etc/systemd/journald.conf.d/boardctl.conf"
  "modules-load.d/boardctl.conf /etc/modules-load.d/boardctl.conf"
)

action=install wheels="" dry=no web=yes start=yes reboot=no

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
warn() { printf 'install.sh: warning: %s\n' "$*" >&2; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit "${code:-1}"; }

# Every change goes through `run`, so that --dry-run can be trusted.
run() {
  if [ "$dry" = yes ]; then say "  would run: $*"; else "$@"; fi
}

usage() {
  sed -n '2,/^set -euo/{/^set -euo/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
  say "Options: --wheels DIR  --no-web (the board alone)  --no-start  --dry-run  --help"
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      --wheels) [ $# -ge 2 ] || code=2 fail "--wheels needs a folder"; wheels=$2; shift ;;
      --dry-run) dry=yes ;;
      --no-web) web=no ;;
      --no-start) start=no ;;
      --uninstall) action=uninstall ;;
      --rollback) action=rollback ;;
      -h | --help) usage; exit 0 ;;
      *) code=2 fail "unknown option '$1'; see --help" ;;
    esac
    shift
  done
}

have_systemd() { [ -d /run/systemd/system ]; }
systemctl_live() { if have_systemd; then run systemctl "$@"; else say "  systemd does not run here: left out 'systemctl $*'"; fi; }
release_of() { basename "$(readlink -f "$1" 2>/dev/null || true)"; }

# ------------------------------------------------------------------------------------- checks

check_root() {
  if [ "$dry" = yes ] || [ "$(id -u)" -eq 0 ]; then return; fi
  fail "needs root; run it with sudo, or with --dry-run to see what it would do"
}

check_machine() {
  command -v python3 >/dev/null || fail "python3 is missing; sudo apt install python3 python3-venv"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$(python3 --version) is too old; boardctl needs 3.11 (Raspberry Pi OS Bookworm) or newer"
  python3 -c 'import venv, ensurepip' 2>/dev/null ||
    fail "Python's venv module is missing; sudo apt install python3-venv"
  case $(uname -m) in
    aarch64 | x86_64) ;;
    *) warn "no ready-made wheels exist for $(uname -m); use the 64-bit Raspberry Pi OS" ;;
  esac
}

# A bundle has its wheels beside systemd/; a clone has pyproject.toml there.
find_source() {
  local root
  root=$(dirname "$HERE")
  if [ -z "$wheels" ] && compgen -G "$root/wheels/boardctl-*.whl" >/dev/null; then wheels=$root/wheels; fi
  if [ -n "$wheels" ]; then
    compgen -G "$wheels/boardctl-*.whl" >/dev/null || fail "no boardctl-*.whl in '$wheels'; 'make bundle' makes such a folder"
    wheels=$(cd "$wheels" && pwd)
    version=$(printf '%s\n' "$wheels"/boardctl-*.whl | sort -V | tail -1)
    version=$(basename "$version" | cut -d- -f2)
  elif [ -f "$root/pyproject.toml" ]; then
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/pyproject.toml" | head -1)
  else
    fail "neither wheels nor a clone beside $HERE; give --wheels DIR"
  fi
}

# ---------------------------------------------------------------------------- Python environment

requirement() { # the argument for pip: a name from the wheels, or the clone's folder
  if [ -n "$wheels" ]; then printf 'boardctl==%s' "$version"; else dirname "$HERE"; fi
}

build_release() {
  step "Python environment $release"
  local pip=("$PREFIX/releases/$release/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile)
  if [ -n "$wheels" ]; then pip+=(--no-index --find-links "$wheels"); fi
  run mkdir -p "$PREFIX/releases"
  run python3 -m venv "$PREFIX/releases/$release"
  if ! run "${pip[@]}" "$(requirement)"; then
    rm -rf "${PREFIX:?}/releases/$release"
    rmdir --ignore-fail-on-non-empty "$PREFIX/releases" "$PREFIX"
    fail "pip could not install boardctl; the lines above say why, and nothing was changed"
  fi
  # The drivers of a Pi: some are C and need a compiler where no wheel exists. Each for itself, so
  # that one that fails costs one light driver and not the table.
  if [ "$dry" = yes ]; then say "  would install the drivers of this Pi (extra 'pi')"; else install_drivers "${pip[@]}"; fi
  # Now, since the services may not write there. The excepted ones they never load.
  run "$PREFIX/releases/$release/bin/python" -m compileall -q -x '/(pip|setuptools|pygments|pyftdi)/' "$PREFIX/releases/$release/lib" || true
  run mkdir -p "$PREFIX/releases/$release/share"
  run cp -r "$HERE" "$PREFIX/releases/$release/share/systemd"
}

install_drivers() {
  local name names
  names=$("$PREFIX/releases/$release/bin/python" - <<'PYTHON'
# The requirements of the extra `pi` that hold on this machine, without the marker.
import importlib.metadata
try:
    from packaging.requirements import Requirement
except ImportError:
    from pip._vendor.packaging.requirements import Requirement
for text in importlib.metadata.requires("boardctl") or ():
    need = Requirement(text)
    if "extra" in str(need.marker) and need.marker.evaluate({"extra": "pi"}):
        print(f"{need.name}{need.specifier}")
PYTHON
  )
  for name in $names; do
    say "  driver $name"
    "$@" "$name" || warn "$name could not be installed; 'boardctl doctor' says what lacks because of it (a compiler helps: apt install build-essential python3-dev)"
  done
}

# -------------------------------------------------------------------------------- system files

install_files() { # $1: the folder with the files of the release
  step "System files"
  local line from to
  for line in "${FILES[@]}"; do
    read -r from to <<<"$line"
    if [ "$web" = no ] && [ "$from" = boardctl-web.service ]; then continue; fi
    say "  $to"
    if [ ! -d "$(dirname "$to")" ]; then run note folders "$(dirname "$to")"; fi
    run install -D -m 0644 "$1/$from" "$to"
  done
  run ln -sfn "$PREFIX/current/bin/boardctl" /usr/local/bin/boardctl
  note_new_groups
  run systemd-sysusers /etc/sysusers.d/boardctl.conf
  run systemd-tmpfiles --create /etc/tmpfiles.d/boardctl.conf
  systemctl_live daemon-reload
  if have_systemd; then
    run udevadm control --reload || true
    run udevadm trigger --action=change --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=gpio || true
    run systemctl try-restart systemd-journald.service
  fi
}

note() { # what this machine lacked, for --uninstall: $1 groups or folders, $2 its name
  printf '%s\n' "$2" >>"$PREFIX/new-$1"
}

noted() { cat "$PREFIX/new-$1" 2>/dev/null || true; }

note_new_groups() {
  local group
  for group in i2c spi gpio; do
    if ! getent group "$group" >/dev/null; then run note groups "$group"; fi
  done
}

boot_config() { # the firmware's configuration file; empty where there is none
  local file
  for file in /boot/firmware/config.txt /boot/config.txt; do
    if [ -f "$file" ]; then printf '%s' "$file"; return; fi
  done
}

core_freq_line() {
  # WS2812 timing by SPI follows the core clock, which must not change under it.
  case $(tr -d '\0' </proc/device-tree/model 2>/dev/null || true) in
    *"Pi 3"* | *"Zero 2"*) say "core_freq=250" ;;
    *"Pi 4"* | *"Compute Module 4"*) say "core_freq_min=500" ;;
  esac
}

enable_buses() {
  step "I2C and SPI"
  local file block freq
  file=$(boot_config)
  if [ -z "$file" ]; then say "  no config.txt: not a Raspberry Pi, nothing to enable"; return; fi
  freq=$(core_freq_line)
  if [ -n "$freq" ] && ! grep -q "^$freq" "$file"; then
    say "  advice: for NeoPixels by SPI add '$freq' to $file, or colours flicker (docs/hardware.md)"
  fi
  if grep -qF "$MARK_BEGIN" "$file"; then say "  $file has our lines already"; return; fi
  block=$(printf '%s\n' "[all]" "dtparam=i2c_arm=on,i2c_arm_baudrate=400000" "dtparam=spi=on")
  say "  adds to $file: $(tr '\n' ' ' <<<"$block")"
  if [ "$dry" = no ]; then
    cp "$file" "$file.before-boardctl"
    printf '\n%s\n%s\n%s\n' "$MARK_BEGIN" "$block" "$MARK_END" >>"$file"
  fi
  reboot=yes
}

write_config() {
  step "Configuration $CONFIG"
  if [ -f "$CONFIG" ]; then
    say "  kept as it is"
  elif [ -f "$STATE/boardctl.toml.kept" ]; then
    say "  taken back from $STATE/boardctl.toml.kept"
    run install -m 0644 "$STATE/boardctl.toml.kept" "$CONFIG"
  else
    run "$PREFIX/releases/$release/bin/boardctl" config init "$CONFIG"
    run chmod 0644 "$CONFIG"
  fi
  run "$PREFIX/releases/$release/bin/boardctl" config check "$CONFIG" ||
    warn "the configuration has problems (above); mend it, then: sudo systemctl restart boardctl"
}

# ----------------------------------------------------------------------------- switch and start

save_before_upgrade() {
  if [ ! -L "$PREFIX/current" ]; then return; fi
  local copy
  copy=$STATE/before-upgrade
  step "Copies of archive and configuration in $copy"
  systemctl_live stop "${UNITS[@]}"
  run rm -rf "$copy"
  run mkdir -p -m 0700 "$copy"
  run find "$STATE" -maxdepth 1 -type f -exec cp -p {} "$copy/" \;
  if [ -f "$CONFIG" ]; then run cp -p "$CONFIG" "$copy/"; fi
}

switch_to() { # atomically: a rename replaces the link
  run ln -sfn "releases/$1" "$PREFIX/current.new"
  run mv -T "$PREFIX/current.new" "$PREFIX/current"
}

start_units() {
  step "Start"
  local wanted=(boardctl.service)
  if [ "$web" = yes ]; then wanted+=(boardctl-web.service); fi
  run systemctl enable --quiet "${wanted[@]}"
  if [ "$start" = no ] || ! have_systemd; then say "  enabled; starts at the next boot"; return; fi
  if run systemctl restart "${wanted[@]}"; then say "  running: systemctl status ${wanted[*]}"; return; fi
  if [ "$reboot" = yes ]; then warn "the board does not start yet: I2C is on after the reboot"; return; fi
  journalctl -u boardctl -n 15 --no-pager -o cat || true
  return 1
}

drop_old_releases() { # all but the running one and the one before it
  local keep folder
  keep=" $(release_of "$PREFIX/current") $(release_of "$PREFIX/previous") "
  for folder in "$PREFIX"/releases/*/; do
    folder=$(basename "$folder")
    case $keep in *" $folder "*) ;; *) run rm -rf "$PREFIX/releases/$folder" ;; esac
  done
}

install_all() {
  check_machine
  find_source
  release=$version-$(date +%Y%m%d%H%M%S)
  local old
  old=$(release_of "$PREFIX/current")
  say "boardctl $version${old:+, an upgrade of $old}${wheels:+, from the wheels in $wheels}"
  build_release
  save_before_upgrade
  switch_to "$release"
  if [ -n "$old" ]; then run ln -sfn "releases/$old" "$PREFIX/previous"; fi
  install_files "$HERE"
  enable_buses
  write_config
  step "Doctor"
  run "$PREFIX/current/bin/boardctl" doctor --config "$CONFIG" || say "  findings above; none of them stops the installation"
  if ! start_units; then
    if [ -z "$old" ]; then fail "the board does not start; the lines above say why"; fi
    warn "$version does not start: going back to $old"
    rollback
    exit 1
  fi
  if [ "$dry" = no ]; then drop_old_releases; fi
  step "Done"
  say "  the page: http://$(hostname):8080/   the operator's link: sudo boardctl operator-link"
  if [ "$reboot" = yes ]; then say "  restart the Pi now (sudo reboot): I2C and SPI are on from then"; fi
}

restore_archive() { # $1: the program that must understand it
  local copy
  copy=$STATE/before-upgrade/games.db
  if [ ! -f "$copy" ] || run "$1" games list --config "$CONFIG" >/dev/null; then
    say "  the archive stays as it is"
    return
  fi
  say "  the archive is of the newer version: it is now in $STATE/newer, the one from before the upgrade is back"
  run mkdir -p -m 0700 "$STATE/newer"
  run find "$STATE" -maxdepth 1 -name 'games.db*' -exec mv {} "$STATE/newer/" \;
  run find "$STATE/before-upgrade" -name 'games.db*' -exec cp -p {} "$STATE/" \;
}

rollback() {
  local old
  old=$(release_of "$PREFIX/previous")
  if [ ! -L "$PREFIX/previous" ] || [ -z "$old" ]; then fail "no earlier version is kept below $PREFIX/releases"; fi
  step "Back to $old"
  systemctl_live stop "${UNITS[@]}"
  run ln -sfn "releases/$(release_of "$PREFIX/current")" "$PREFIX/previous"
  switch_to "$old"
  install_files "$PREFIX/releases/$old/share/systemd"
  if ! run "$PREFIX/releases/$old/bin/boardctl" config check "$CONFIG" && [ -f "$STATE/before-upgrade/boardctl.toml" ]; then
    say "  $old does not understand the present configuration: the one from before the upgrade is back"
    run cp -p "$CONFIG" "$CONFIG.newer"
    run cp -p "$STATE/before-upgrade/boardctl.toml" "$CONFIG"
  fi
  restore_archive "$PREFIX/releases/$old/bin/boardctl"
  start_units || fail "$old does not start either; the lines above say why"
}

# ------------------------------------------------------------------------------------ uninstall

restore_boot_config() {
  local file
  file=$(boot_config)
  if [ -z "$file" ] || ! grep -qF "$MARK_BEGIN" "$file"; then return; fi
  say "  our lines in $file"
  run sed -i "/^$MARK_BEGIN_RE\$/,/^$MARK_END\$/d" "$file"
  run rm -f "$file.before-boardctl"
}

remove_accounts() {
  local group
  if getent passwd boardctl >/dev/null; then run userdel boardctl; fi
  for group in boardctl $(noted groups); do
    if getent group "$group" >/dev/null; then run groupdel "$group" || true; fi
  done
}

uninstall() {
  step "Removes boardctl"
  if have_systemd; then run systemctl disable --now --quiet "${UNITS[@]}" 2>/dev/null || true; fi
  local line from to
  for line in "${FILES[@]}"; do
    read -r from to <<<"$line"
    say "  $to"
    run rm -f "$to"
  done
  for to in $(noted folders); do run rmdir --ignore-fail-on-non-empty "$to"; done
  run rm -rf /etc/systemd/system/boardctl.service.d /etc/systemd/system/boardctl-web.service.d
  remove_accounts
  run rm -f /usr/local/bin/boardctl /etc/systemd/system/multi-user.target.wants/boardctl{,-web}.service
  run rm -rf "$PREFIX" /run/boardctl
  restore_boot_config
  if [ -d "$STATE" ]; then
    # The calibration is in the configuration: it is kept with the archive.
    if [ -f "$CONFIG" ]; then run install -m 0600 "$CONFIG" "$STATE/boardctl.toml.kept"; fi
    run rm -rf "$STATE/before-upgrade"
    run chown -R root:root "$STATE"
    run chmod 0700 "$STATE"
  fi
  run rm -rf "$(dirname "$CONFIG")"
  systemctl_live daemon-reload
  if have_systemd; then
    run systemctl reset-failed "${UNITS[@]}" 2>/dev/null || true
    run udevadm control --reload || true
    run systemctl try-restart systemd-journald.service
  fi
  step "Done"
  say "  kept: $STATE, the archive of all games and a copy of the configuration. Nothing else is left."
  say "  To delete that too: sudo rm -r $STATE"
}

parse "$@"
check_root
case $action in
  install) install_all ;;
  rollback) rollback ;;
  uninstall) uninstall ;;
esac
