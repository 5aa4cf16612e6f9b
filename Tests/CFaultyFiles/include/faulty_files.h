// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// Layers of SQLite's over the system's files that fail when they are told to, and remember the bytes that were synced.
//
// Each has a name, by which SQLite knows it, and counts for itself. It may be told while another thread uses its files.

struct faulty_files;

enum faulty_kind {
  FAULTY_IO,    // the call fails, and does nothing
  FAULTY_TORN,  // a write stops in the middle; any other call fails, and does nothing
  FAULTY_FULL,  // a call that needs room fails; any other is left alone
};

// Makes one known to SQLite, once for its name; it is there from then on. A null pointer if SQLite does not take it.
struct faulty_files *faulty_files_named(const char *name);

// Has the nth call from now on fail, counted from 1, and those after it up to `count`. None if `count` is 0.
void faulty_files_fail(struct faulty_files *, long nth, enum faulty_kind kind, long count);

// The calls since then: of opening, reading, writing, cutting, syncing, removing and mapping.
long faulty_files_calls(struct faulty_files *);

// How many were made to fail since then.
long faulty_files_failures(struct faulty_files *);

// Has each file copied into that directory when it is synced: a power cut would leave these copies. NULL for not.
void faulty_files_keep_synced(struct faulty_files *, const char *directory);

// Has no file of a process be written beyond so many bytes from now on (RLIMIT_FSIZE), whatever it is that writes; below 0 for any
// number. 0 if that is done.
int faulty_files_limit(int process, long long bytes);
