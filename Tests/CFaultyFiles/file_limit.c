// SPDX-License-Identifier: MIT
// prlimit(2) is GNU's, so Swift does not see it.
#define _GNU_SOURCE
#include "faulty_files.h"

#include <stddef.h>
#include <sys/resource.h>

int faulty_files_limit(int process, long long bytes) {
  struct rlimit limit = {.rlim_cur = bytes < 0 ? RLIM_INFINITY : (rlim_t)bytes, .rlim_max = RLIM_INFINITY};
  return prlimit(process, RLIMIT_FSIZE, &limit, NULL);
}
