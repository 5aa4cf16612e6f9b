// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

// Nanoseconds of a clock that is not set.
uint64_t now(void);

// Notes how long something took, in nanoseconds.
void note(uint64_t time);

// Prints what was noted in that many seconds, and what this program itself took, as one object of JSON.
void report(double seconds, unsigned long answer_bytes);
