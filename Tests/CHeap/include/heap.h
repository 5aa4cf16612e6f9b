// SPDX-License-Identifier: MIT
#ifndef EURIPUS_TESTS_HEAP_H
#define EURIPUS_TESTS_HEAP_H

#include <stddef.h>

/// The bytes that the process has allocated and not freed, with those that the allocator adds to each block.
size_t euripus_tests_heap_in_use(void);

#endif
