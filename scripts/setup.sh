# shellcheck shell=bash
# Sourced by quickstart.sh and check.sh: where things are, and what a bare
# Debian 12 lacks.
#
#   BUILD_DIR   the build folder (default: build, in the repository)
#   JOBS        parallel compilations (default: what the processors and the
#               memory allow)
#   CMAKE_ARGS  further arguments of CMake, separated by spaces
#   LLVM        the version of LLVM (default: 22, or 19 where 22 is not to be
#               had)

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

# What building and testing with LLVM version $1 needs.
packages_for() {
  echo cmake ninja-build g++ python3 "clang-$1" "libclang-$1-dev" \
    "libclang-rt-$1-dev" "llvm-$1-dev" "llvm-$1-tools" libisl-dev libgmp-dev \
    libboost-context-dev libgtest-dev zlib1g-dev
}

missing_for() {
  local package
  for package in $(packages_for "$1"); do
    installed "$package" || printf '%s ' "$package"
  done
}

# Sets `llvm` to the first of the versions $1 that apt offers.
offered() {
  for llvm in $1; do
    has_candidate "libclang-$llvm-dev" && return
  done
  return 1
}

# Sets `llvm` to the version to build with, having installed what is missing.
set_up() {
  command -v dpkg-query >/dev/null ||
    die "this script installs Debian packages; elsewhere install" \
      "$(packages_for 22) and build with CMake"
  local missing versions=${LLVM:-22 19}
  for llvm in $versions; do
    missing=$(missing_for "$llvm")
    if [ -z "$missing" ]; then
      say "LLVM $llvm and everything else that is needed is installed"
      return
    fi
  done

  offered "$versions" || { say "apt-get update" && apt update; }
  offered "$versions" ||
    die "apt offers no libclang-N-dev for N = $versions:" \
      "add bookworm and bookworm-security to its sources"
  missing=$(missing_for "$llvm")
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
