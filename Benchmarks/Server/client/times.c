// SPDX-License-Identifier: MIT
#include "times.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

// Buckets of 100 ns, up to two seconds. Pages of buckets that nothing falls into take no memory.
enum { BUCKET_NS = 100, BUCKETS = 20 * 1000 * 1000 };
static uint32_t histogram[BUCKETS];
static uint64_t times, longest;

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void note(uint64_t time) {
  uint64_t bucket = time / BUCKET_NS;
  histogram[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
  times++;
  if (time > longest) longest = time;
}

static double quantile_us(double share) {
  uint64_t wanted = (uint64_t)(share * (double)times), seen = 0;
  for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram[bucket];
    if (seen > wanted) return (double)(bucket * BUCKET_NS) / 1e3;
  }
  return (double)longest / 1e3;
}

void report(double seconds, unsigned long answer_bytes) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  printf("{\"count\":%llu,\"seconds\":%.6f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f,\"answer_bytes\":%lu,"
         "\"client_cpu_us\":%.1f}\n",
         (unsigned long long)times, seconds, quantile_us(0.5), quantile_us(0.99), (double)longest / 1e3, answer_bytes, cpu);
}
