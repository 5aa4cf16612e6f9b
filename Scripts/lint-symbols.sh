#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: lint-symbols.sh [BINARY]
#
# Fails if a program, by default .build/release/euripus, defines a symbol that one of its shared libraries exports too:
# libc, libmicrohttpd, GnuTLS, nettle, SQLite and all others that `ldd` names. The linker would give the program's own
# to every library in the process, which none of them expects.
#
# Fails too if it would look for libraries beside itself (RUNPATH), or leaves the addresses of library functions to be
# written over while it runs (no BIND_NOW).
#
# Both tables of the program are looked at, as a symbol that is not in the dynamic one today gets into it as soon as a
# library asks for it. Allowed are the names below, each for its reason, and those of Swift's own libraries.
set -euo pipefail
cd "$(dirname "$0")/.."

# PATTERN|REASON
allowed='
_init|the linker puts it into each program and library
_fini|the linker puts it into each program and library
_edata|the linker puts it into each program and library
_end|the linker puts it into each program and library
__bss_start|the linker puts it into each program and library
_Z*|inline functions of C++, of which each program has its copy
'
# Swift's own libraries: without --static-swift-stdlib a program has copies of the functions that it inlines from them.
swift_libraries='lib(swift|_?Foundation|dispatch|BlocksRuntime|_Testing)'

case "${1:-}" in
  --help | -h) sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//;p}' "Scripts/$(basename "$0")"; exit ;;
esac
binary=${1:-.build/release/euripus}
[ -f "$binary" ] || { echo "$0: there is no program '$binary'" >&2; exit 2; }

defined=$({ nm -D --defined-only "$binary"; nm --defined-only "$binary"; } 2>/dev/null |
  awk '$2 ~ /^[A-Zu]$/ { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u)
[ -n "$defined" ] || { echo "$0: '$binary' has no table of symbols to look at" >&2; exit 2; }
libraries=$(ldd "$binary" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | grep -vE "/$swift_libraries" || true)
[ -n "$libraries" ] || { echo "$0: '$binary' has no shared library to compare it with" >&2; exit 2; }

dynamic=$(readelf -d "$binary")
if grep -qE '\((RUNPATH|RPATH)\)' <<<"$dynamic"; then
  echo "$binary has a RUNPATH: expected a build by 'make build', with --disable-local-rpath" >&2
  exit 1
fi
if ! grep -qE 'BIND_NOW|Flags:.* NOW' <<<"$dynamic"; then
  echo "$binary is not linked with BIND_NOW: expected a build by 'make build', with -z now" >&2
  exit 1
fi

failures=0
while read -r library; do
  exported=$(nm -D --defined-only "$library" | awk '$2 ~ /^[A-Zu]$/ { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort -u)
  while read -r symbol; do
    [ -n "$symbol" ] || continue
    while IFS='|' read -r pattern _; do
      # shellcheck disable=SC2254 # It is a pattern.
      case "$symbol" in $pattern) [ -z "$pattern" ] || continue 2 ;; esac
    done <<<"$allowed"
    echo "$binary defines '$symbol', which is of $library" >&2
    failures=$((failures + 1))
  done < <(LC_ALL=C comm -12 <(echo "$defined") <(echo "$exported"))
done <<<"$libraries"
if [ "$failures" != 0 ]; then
  echo "$failures symbols of libraries are defined by $binary: call the library, or give the function a name of its own" >&2
  exit 1
fi
