// SPDX-License-Identifier: MIT
#pragma once
#include <stdint.h>

// Nanoseconds of a clock that nobody sets.
uint64_t now(void);

// Notes a duration in nanoseconds.
void note(uint64_t time);

// Prints one object of JSON: the durations that were noted in so many seconds, and the processor time of this
// program.
void report(double seconds, unsigned long answer_bytes);
