// SPDX-License-Identifier: MIT
//
// Stands in front of the C library's allocator for the whole process. While counting is off it costs one test.
#include "CMallocCounter.h"
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);

static bool counting;
static struct malloc_counts counts;

static void *counted(void *block, size_t bytes) {
  if (counting && block) {
    counts.allocations++;
    counts.requested_bytes += bytes;
    counts.usable_bytes += malloc_usable_size(block);
  }
  return block;
}

static void count_freed(void *block) {
  if (counting && block) counts.freed_usable_bytes += malloc_usable_size(block);
}

void *malloc(size_t bytes) { return counted(__libc_malloc(bytes), bytes); }
void *calloc(size_t n, size_t bytes) { return counted(__libc_calloc(n, bytes), n * bytes); }
void *realloc(void *block, size_t bytes) { count_freed(block); return counted(__libc_realloc(block, bytes), bytes); }
void *memalign(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes), bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  return (*block = memalign(alignment, bytes)) ? 0 : ENOMEM;
}
void free(void *block) { count_freed(block); __libc_free(block); }

void malloc_counting_start(void) { counts = (struct malloc_counts){0}; counting = true; }
struct malloc_counts malloc_counting_stop(void) { counting = false; return counts; }
