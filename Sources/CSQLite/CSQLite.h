// SPDX-License-Identifier: MIT
#pragma once
#include <sqlite3.h>

/// SQLITE_TRANSIENT: a cast of -1, which Swift does not import.
static inline sqlite3_destructor_type _Nullable euripus_sqlite_copied(void) { return SQLITE_TRANSIENT; }
