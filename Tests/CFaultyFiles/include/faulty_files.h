// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// A layer of SQLite's over the system's files, "faulty", that fails when it is told to, and remembers what was synced.
// One test at a time uses it.

enum faulty_kind {
  FAULTY_IO,    // the call fails, and does nothing
  FAULTY_TORN,  // a write stops in the middle; any other call fails, and does nothing
  FAULTY_FULL,  // what needs room fails; any other call is left alone
};

// Makes it known to SQLite, once or more often.
int faulty_files_register(void);

// Has the nth call from now on fail, counted from 1, and all after it if `stays`. 0 has none fail.
void faulty_files_fail(long nth, enum faulty_kind kind, bool stays);

// The calls since then: of opening, reading, writing, cutting, syncing, removing and mapping.
long faulty_files_calls(void);

// Whether one was made to fail since then.
bool faulty_files_failed(void);

// Has each file copied into that directory when it is synced: what a power cut would leave. NULL for not.
void faulty_files_keep_synced(const char *directory);
