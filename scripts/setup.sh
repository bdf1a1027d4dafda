# shellcheck shell=bash
# Sourced by quickstart.sh and check.sh: where things are, and what a bare
# Debian 12 lacks.
#
#   BUILD_DIR   the build folder (default: build, in the repository)
#   JOBS        parallel compilations (default: what the processors and the
#               memory allow)
#   CMAKE_ARGS  further arguments of CMake, separated by spaces

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
build=${BUILD_DIR:-$root/build}
mkdir -p -- "$build"
build=$(cd -- "$build" && pwd -P)

say() { printf '== %s\n' "$*"; }

die() {
  printf '%s: error: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Compilations that include Clang's headers take about 1 GiB each.
default_jobs() {
  local processors gibibytes
  processors=$(nproc)
  gibibytes=$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)
  [ "$gibibytes" -ge 1 ] || gibibytes=1
  echo $((processors < gibibytes ? processors : gibibytes))
}
jobs=${JOBS:-$(default_jobs)}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages needs root: run as root, or install sudo"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -q "$@"
}

has_candidate() {
  [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]
}

llvm=22
# What building and testing needs.
packages="cmake ninja-build g++ python3 clang-$llvm libclang-$llvm-dev
  libclang-rt-$llvm-dev llvm-$llvm-dev llvm-$llvm-tools libisl-dev libgmp-dev
  libboost-context-dev libgtest-dev zlib1g-dev"

missing_packages() {
  local package
  for package in $packages; do
    installed "$package" || printf '%s ' "$package"
  done
}

# Installs what is missing.
set_up() {
  command -v dpkg-query >/dev/null ||
    die "this script installs Debian packages; elsewhere install" \
      "$packages and build with CMake"
  local missing
  missing=$(missing_packages)
  if [ -z "$missing" ]; then
    say "everything that is needed is installed"
    return
  fi
  has_candidate "libclang-$llvm-dev" || { say "apt-get update" && apt update; }
  has_candidate "libclang-$llvm-dev" ||
    die "apt offers no libclang-$llvm-dev:" \
      "add bookworm and bookworm-security to its sources"
  say "installing $missing"
  # Old package lists name files that are no longer there: refresh, try again.
  # shellcheck disable=SC2086
  apt install -y --no-install-recommends $missing >/dev/null ||
    { say "apt-get update" && apt update &&
      apt install -y --no-install-recommends $missing >/dev/null; } ||
    die "cannot install $missing"
}

configure() {
  say "configuring $build"
  local log=$build/configure.log
  # shellcheck disable=SC2086
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DLLVM_DIR="/usr/lib/llvm-$llvm/lib/cmake/llvm" \
    -DClang_DIR="/usr/lib/llvm-$llvm/lib/cmake/clang" \
    ${CMAKE_ARGS:-} >"$log" 2>&1 ||
    { cat "$log" >&2 && die "CMake failed; see above"; }
}

# Builds the targets $*; ninja says how far it is on one line.
build_targets() {
  say "building $* (-j$jobs)"
  ninja -C "$build" -j "$jobs" "$@"
}

# The main job: tile the naive convolution and compare the two.
run_main_job() {
  say "build/bin/convopt examples/naive_conv.cu -tile=32,2,2 -reg=8,4"
  "$build/bin/convopt" "$root/examples/naive_conv.cu" -tile=32,2,2 -reg=8,4 \
    -o "$build/tiled.cu" -verify=auto
  say "the tiled convolution is in $build/tiled.cu"
}

quickstart() {
  set_up
  configure
  build_targets convopt convopt-opt
  run_main_job
}
