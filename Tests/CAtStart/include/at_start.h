// SPDX-License-Identifier: MIT
#ifndef EURIPUS_TESTS_AT_START_H
#define EURIPUS_TESTS_AT_START_H

// Defined in Tests/Recording.
void euripus_tests_at_start(void);

#endif
