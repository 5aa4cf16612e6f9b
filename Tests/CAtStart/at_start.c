// SPDX-License-Identifier: MIT
#include "at_start.h"

// Swift cannot run code before `main`, and no test is sure to run first.
__attribute__((constructor)) static void at_start(void) { euripus_tests_at_start(); }
