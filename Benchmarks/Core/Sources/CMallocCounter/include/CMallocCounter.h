// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/// The memory that was allocated and given back while counting was on. Counting is for one thread.
struct malloc_counts {
  size_t allocations, requested_bytes, usable_bytes, freed_usable_bytes;
};

void malloc_counting_start(void);
struct malloc_counts malloc_counting_stop(void);
