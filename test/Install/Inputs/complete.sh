#!/usr/bin/env bash
# complete.sh PREFIX TOOL WORD...: what completes the last word of the command.
# shellcheck disable=SC1090
source "$1/share/bash-completion/completions/$2"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_${1//-/_}"
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}"
