// SPDX-License-Identifier: MIT
// The allocator's own functions (malloc_trim(3), mallopt(3)), which no Swift module has.
#pragma once
#include <malloc.h>
