// SPDX-License-Identifier: MIT
// The allocator's own functions (malloc_trim(3), mallopt(3)), which are in no module of Swift's.
#pragma once
#include <malloc.h>
