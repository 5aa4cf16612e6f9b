#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: lint-words.sh [--table] [FOLDER…]
#
# Looks at the Swift sources, by default of Sources, Demos, EventSequences, Tests, the examples and the templates, and fails where a word stands that
# may not. It looks at the comments of all sources, also in C, JavaScript, Python, shell and CSS.
#
#   words     Unmanaged, _withUnsafeGuaranteedRef, unsafeBitCast, unsafeDowncast, @exclusivity(unchecked),
#             nonisolated(unsafe), unowned(unsafe), underscored attributes, prefetch.
#             Allowed in the core's engine, and in the one Swift file that takes the pointers of a C target.
#   pointers  Unsafe…Pointer, withUnsafe…, OpaquePointer, unsafelyUnwrapped, unsafeUninitializedCapacity.
#             Allowed there as well, and in the files of the list below, each for its reason.
#   stops     precondition, preconditionFailure, assertionFailure, fatalError: what ends a program says so by
#             'stopProgram', in a release build too.
#             Allowed in that, in what is below it, and in the files of the list below.
#   names     a test, in Swift, JavaScript or Python, whose name begins with what, who, whoever, whose or of: it is to
#             be a sentence about the thing.
#             Allowed nowhere.
#   comments  a comment whose first word is What, Who, Whoever, Whose or Of: it is to begin with what the thing is
#             or does.
#             Allowed nowhere.
#
# Comments are not looked at for words and pointers. --table prints how many there are of each in each folder, allowed
# or not, and fails for the same reasons.
set -euo pipefail
cd "$(dirname "$0")/.."

# PATTERN|REASON: patterns as in `case`, where a * matches slashes too.
words_allowed='
Sources/ObservableCore/Engine/*|the engine, which its plain twin in the tests judges
Sources/HTTPListening/Connection/Engine.swift|CMicroHTTPDShim
Sources/SQLiteSessions/SQLiteDatabase.swift|CSQLite
Sources/EuripusNodes/Connecting/PostgreSQLConnection.swift|CPostgreSQL
Sources/Storing/Requests/Digest.swift|CNettle
Sources/EuripusNodes/Passing/CurlClient.swift|CCurl
Sources/EuripusPasswords/Password.swift|CSodium
Sources/EuripusApp/Supervision/NoteMemory.swift|CSupervision
Tests/*|a test may look at memory
'
pointers_allowed='
Sources/Locking/Locked.swift|a pthread mutex stays where it is, so it lies in the tail of an object
Sources/EuripusApp/AddressInformation.swift|getaddrinfo(3)
Sources/HTTPListening/Addresses/PeerAddress.swift|sockaddr, as accept4(2) and getnameinfo(3) have it
Sources/HTTPListening/Addresses/LocalAddress.swift|sockaddr_un, as bind(2) and connect(2) have it
Sources/HTTPListening/Addresses/IPAddress.swift|in_addr and in6_addr, as sockaddr has them
Sources/HTTPListening/Addresses/ListeningSocket.swift|getaddrinfo(3)
Sources/EuripusTesting/TestSocket.swift|socket(2), connect(2), send(2), recv(2)
'
stops_allowed='
Sources/ObservableCore/stopProgram.swift|it is the function
Sources/ObservableCore/Engine/*|what the engine holds of itself
Sources/HTTPListening/*|it is below the function; no code of an app gets there
Demos/*|an app
Examples/*|an app
Templates/*|an app
Tests/*|a test
'
# An attribute that has no other spelling.
attributes_allowed='
Sources/Euripus/Euripus.swift|@_exported: how a module hands on what it imports
Sources/EuripusApp/Exports.swift|the same
'

table=
folders=()
for argument; do
  case "$argument" in
    --table) table=1 ;;
    --help | -h) sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//;p}' "Scripts/$(basename "$0")"; exit ;;
    -*) echo "Usage: $0 [--table] [FOLDER…]" >&2; exit 2 ;;
    *) [ -d "$argument" ] || { echo "$0: '$argument' is no folder of the project" >&2; exit 2; }
      folders+=("${argument%/}") ;;
  esac
done
commented=("${folders[@]}")
if [ ${#folders[@]} = 0 ]; then
  commented=(Sources Demos EventSequences Tests Examples Templates Client Public Scripts Benchmarks Fuzzing Makefile Dockerfile Package.swift)
  folders=(Sources Demos EventSequences Tests)
  for folder in Examples/*/Sources Examples/Clients/*/Sources Templates/*/Sources Templates/*/Tests; do [ ! -d "$folder" ] || folders+=("$folder"); done
fi

# Prints KIND<tab>FILE<tab>LINE<tab>WORD for each.
occurrences() {
  # shellcheck disable=SC2016 # It is awk's.
  find "${folders[@]}" -name .build -prune -o -name '*.swift' -print0 | sort -z | xargs -0 -r awk '
    function find(kind, text, expression) {
      while (match(text, expression)) {
        print kind "\t" FILENAME "\t" FNR "\t" substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
      }
    }
    {
      code = $0
      sub(/(^|[ \t])\/\/.*/, "", code)
      find("words", code, "Unmanaged|_withUnsafeGuaranteedRef|unsafeBitCast|unsafeDowncast|@exclusivity[(]unchecked[)]|" \
        "nonisolated[(]unsafe[)]|unowned[(]unsafe[)]|@_[A-Za-z]+|[A-Za-z_]*prefetch[A-Za-z_]*")
      gsub(/_withUnsafeGuaranteedRef/, "", code)
      find("pointers", code, "withUnsafe(Mutable)?(Pointer|Bytes|BufferPointer|TemporaryAllocation)[A-Za-z]*|" \
        "Unsafe[A-Za-z]*Pointer|OpaquePointer|unsafelyUnwrapped|unsafeUninitializedCapacity")
      find("stops", code, "(precondition|preconditionFailure|assertionFailure|fatalError)[(]")
    }'
}

# Prints the same for comments, in the sources of every language. Each paragraph of a comment counts as its beginning.
comments() {
  # shellcheck disable=SC2016 # It is awk's.
  find "${commented[@]}" \( -name '.?*' -o -name node_modules -o -name __pycache__ -o -path 'Public/euripus*.js*' \) -prune -o \
    -type f -regex '.*\.\(swift\|c\|h\|js\|mjs\|ts\|py\|sh\|css\|cfg\|conf\|sql\)\|.*Makefile\|.*Dockerfile' -print0 |
    sort -z | xargs -0 -r awk '
    FNR == 1 { in_comment = 0 }
    {
      text = $0
      sub(/^[ \t]+/, "", text)
      is_comment = sub(/^(\/\/+|\/\*+|\*|#+|--|""")( |$)/, "", text) || sub(/^"""/, "", text)
      if (is_comment && !in_comment && match(text, /^(What|Whoever|Whose|Who|Of)[^A-Za-z]/))
        print "comments\t" FILENAME "\t" FNR "\t" substr(text, 1, 60)
      in_comment = is_comment && text != ""
    }'
}

# Prints the same for the names of tests.
names() {
  find "${commented[@]}" \( -name '.?*' -o -name node_modules -o -name __pycache__ \) -prune -o \
    -type f -regex '.*\.\(swift\|mjs\|py\)' -print0 | sort -z |
    xargs -0 -r grep -HniE "(func \`|struct \`|class \`|enum \`|@(Test|Suite)\(\"|\<test\(['\"\`]|def test_)(what|who|whoever|whose|of)[ _']" |
    sed -E 's/^([^:]*):([0-9]+): */names\t\1\t\2\t/' || true
}

# Whether one of the lists names a file.
is_in() {
  local file=$1 list pattern
  shift
  for list; do
    while IFS='|' read -r pattern _; do
      # shellcheck disable=SC2254 # It is a pattern.
      case "$file" in '') ;; $pattern) [ -z "$pattern" ] || return 0 ;; esac
    done <<<"$list"
  done
  return 1
}

is_allowed() {
  local kind=$1 file=$2 word=$3
  case "$kind" in
    words) is_in "$file" "$words_allowed" || { [[ "$word" == @_* ]] && is_in "$file" "$attributes_allowed"; } ;;
    pointers) is_in "$file" "$words_allowed" "$pointers_allowed" ;;
    stops) is_in "$file" "$stops_allowed" ;;
    comments | names) return 1 ;;
  esac
}

found=$(occurrences; comments; names)
if [ -n "$table" ]; then
  printf '%-44s %6s %9s %9s\n' folder words pointers comments
  awk -F '\t' '
    NF {
      # The target of a file in Sources or Tests, and the folder of any other.
      folder = $2
      if (!sub(/^(Sources|Tests)\/[^\/]+\//, "&\t", folder)) sub(/[^\/]*$/, "\t", folder)
      sub(/\/?\t.*/, "", folder)
      folders[folder]
      counts[folder, $1]++
      if ($1 == "words") { sub(/^@_.*/, "@_…", $4); each[folder, $4]++; names[$4] }
    }
    END {
      for (folder in folders) {
        rest = ""
        for (name in names) if (each[folder, name]) rest = rest "  " name " " each[folder, name]
        printf "%-44s %6d %9d %9d%s\n", folder, counts[folder, "words"], counts[folder, "pointers"], \
          counts[folder, "comments"], rest
      }
    }' <<<"$found" | LC_ALL=C sort
fi

failures=0
while IFS=$'\t' read -r kind file line word; do
  if [ -z "$kind" ] || is_allowed "$kind" "$file" "$word"; then continue; fi
  failures=$((failures + 1))
  case "$kind" in
    words) echo "$file:$line: '$word' may stand in the core's engine and beside a C target alone" >&2 ;;
    pointers) echo "$file:$line: '$word' may stand beside a C target and in the files that $0 lists" >&2 ;;
    stops) echo "$file:$line: '$word' says nothing in a release build, or not what was expected: use 'stopProgram'" >&2 ;;
    names) echo "$file:$line: the name of a test is a sentence about the thing, and does not begin as in: $word" >&2 ;;
    comments) echo "$file:$line: a comment begins with what the thing is or does, not with '$word'" >&2 ;;
  esac
done <<<"$found"
[ "$failures" = 0 ] || { echo "$failures words where they may not stand: $0 --help says where they may" >&2; exit 1; }
