// SPDX-License-Identifier: MIT
#ifndef EURIPUS_TESTS_AT_START_H
#define EURIPUS_TESTS_AT_START_H

// Tests/Recording has it.
void euripus_tests_at_start(void);

#endif
