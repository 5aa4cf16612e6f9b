// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// Layers of SQLite over the system's files. They fail when a test tells them to, and keep copies of the synced
// files.
//
// Each layer has a name, by which SQLite knows it, and a count of its own. A test may tell it to fail while
// another thread uses its files.

struct faulty_files;

enum faulty_kind {
  FAULTY_IO,    // the call fails, and does nothing
  FAULTY_TORN,  // a write stops in the middle; any other call fails, and does nothing
  FAULTY_FULL,  // a call that needs room fails; any other is left alone
};

// The layer of that name. The first call makes it known to SQLite, where it stays. NULL if SQLite does not take
// it.
struct faulty_files *faulty_files_named(const char *name);

// Makes `count` calls in a row fail, from the nth from now on, counted from 1. None fails if `count` is 0.
void faulty_files_fail(struct faulty_files *, long nth, enum faulty_kind kind, long count);

// The number of calls since then: to open, read, write, cut, sync, remove and map.
long faulty_files_calls(struct faulty_files *);

// The number of calls that were made to fail since then.
long faulty_files_failures(struct faulty_files *);

// Copies each file into that directory when SQLite syncs it: a power cut would leave these copies. NULL ends
// that.
void faulty_files_keep_synced(struct faulty_files *, const char *directory);

// Limits each file that a process writes to so many bytes from now on (RLIMIT_FSIZE), whatever its code is.
// Below 0 there is no limit. Returns 0 if that is done.
int faulty_files_limit(int process, long long bytes);
