// SPDX-License-Identifier: MIT
#include "at_start.h"

// Swift has no code of its own that runs before `main`, and no test is the first.
__attribute__((constructor)) static void at_start(void) { euripus_tests_at_start(); }
