// SPDX-License-Identifier: MIT
// Swift does not see prlimit, which is GNU's.
#define _GNU_SOURCE
#include "faulty_files.h"

#include <stddef.h>
#include <sys/resource.h>

int faulty_files_limit(int process, long long bytes) {
  struct rlimit limit = {.rlim_cur = bytes < 0 ? RLIM_INFINITY : (rlim_t)bytes, .rlim_max = RLIM_INFINITY};
  return prlimit(process, RLIMIT_FSIZE, &limit, NULL);
}
