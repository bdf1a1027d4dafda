#!/usr/bin/env bash
# check-deb.sh ROOT: makes the Debian packages in the build folder, installs
# that of the tools in ROOT, and tries it there as a user would. ROOT is a
# Debian 12 file system such as `debootstrap --variant=minbase bookworm ROOT`
# makes, with bookworm-security among its sources. It takes root's rights.
set -euo pipefail

# shellcheck source=scripts/setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

target=$(cd -- "$1" && pwd -P)
say "making packages"
rm -f -- "$build"/convopt*.deb
(cd "$build" && cpack -G DEB -B "$build") >"$build/cpack.log"
rm -rf -- "$target/root/deb"
mkdir -p -- "$target/root/deb"
cp -- "$build"/convopt_*.deb "$target/root/deb"
cp -r -- "$root/test/Install/Inputs/kernels" "$root/include/convopt/Verify" \
  "$build/test/Host/include" "$build/test/Host/convopt-host-launches" \
  "$target/root/deb"

cat >"$target/root/deb/check.sh" <<'CHECK'
set -eux
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
cd /root/deb
no_headers() { test ! -e /usr/lib/llvm-22/include/llvm; }
apt-get -qq update
apt-get -qq install -y --no-install-recommends ./convopt_*.deb >log 2>&1
no_headers
convopt -version
convopt /usr/share/doc/convopt/examples/naive_conv.cu -tile=32,2,2 -o tiled.cu
convopt /usr/share/doc/convopt/examples/image_conv.c -emit=header -q -o conv.h
test -e /usr/share/man/man1/convopt.1
bash -c 'source /usr/share/bash-completion/completions/convopt
  COMP_WORDS=(convopt -emit = he) COMP_CWORD=3; _convopt; test $COMPREPLY = header'
# What it recommends, and a project that has its kernels tiled.
apt-get -qq install -y --no-install-recommends clang-22 libclang-rt-22-dev \
  libboost-context-dev cmake ninja-build man-db zsh >>log 2>&1
convopt /usr/share/doc/convopt/examples/naive_conv.cu -verify=cpu -o tiled.cu
man -l --warnings /usr/share/man/man1/convopt.1 | grep -q 'tile a naive'
for file in /usr/share/zsh/site-functions/_convopt*; do zsh -n "$file"; done
cmake -S kernels -B project -G Ninja -DHOST_LAUNCHES=$PWD/convopt-host-launches \
  -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
  "-DCMAKE_CXX_FLAGS=-DHOST_MEMORY_IS_THE_DEVICES -I$PWD/include -I$PWD/Verify"
cmake --build project
project/app | grep 'filter 91.000'
project/beside | grep 'filter 91.000'
no_headers
apt-get -qq remove -y convopt >>log 2>&1
test ! -e /usr/bin/convopt
CHECK
say "trying them in $target"
# A mount that ends with it.
# shellcheck disable=SC2016
unshare --mount sh -c 'mount -t proc proc "$1/proc" &&
  chroot "$1" bash /root/deb/check.sh' _ "$target"
say "the package works"
