#!/usr/bin/env bash
# wrong-calls.sh CMAKE FOLDER CC CXX: configures projects that must not be.
set -eu
cmake=$1 folder=$2 cc=$3 cxx=$4
refused() {
  rm -rf "$folder/wrong"
  mkdir "$folder/wrong"
  {
    echo 'cmake_minimum_required(VERSION 3.25)'
    echo 'project(wrong LANGUAGES C CXX)'
    echo "find_package(convopt REQUIRED COMPONENTS ${2:-Tools})"
    echo 'add_library(app STATIC a.cpp)'
    echo "$1"
  } >"$folder/wrong/CMakeLists.txt"
  echo 'int a;' >"$folder/wrong/a.cpp"
  ! "$cmake" -S "$folder/wrong" -B "$folder/wrong/build" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_PREFIX_PATH="$folder/prefix" >/dev/null
}
refused 'convopt_add_kernel(SOURCES a.cpp)'
refused 'convopt_add_kernel(TARGET nobody SOURCES a.cpp)'
refused 'convopt_add_kernel(TARGET app SOURCES a.cpp LINK between OUTPUTS o)'
refused 'convopt_add_kernel(EXTRA TARGET app SOURCES a.cpp OUTPUTS o)'
refused 'convopt_add_kernel(TARGET app SOURCES a.cpp)'
refused 'convopt_add_kernel(TARGET app SOURCES a.cpp b/a.cu OUTPUTS o)'
refused '' Libraries
