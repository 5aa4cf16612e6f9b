// SPDX-License-Identifier: MIT
// A library for LD_PRELOAD that puts the wall clock of one process ahead. The file that CLOCK_STEP names has
// the seconds as a long, as the machine writes it. A change of the file steps the clock.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long *step;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CLOCK_STEP");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) abort();
  step = page;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int status = (int)syscall(SYS_clock_gettime, clock, now);
  if (status == 0 && step && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *step;
  return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  (void)zone;
  struct timespec fine;
  if (clock_gettime(CLOCK_REALTIME, &fine) != 0) return -1;
  now->tv_sec = fine.tv_sec;
  now->tv_usec = fine.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec fine;
  if (clock_gettime(CLOCK_REALTIME, &fine) != 0) return -1;
  if (now) *now = fine.tv_sec;
  return fine.tv_sec;
}
