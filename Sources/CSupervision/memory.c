// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "euripus_supervision.h"

__thread struct esv_slot *esv_own_slot;

int esv_make_memory(void) {
  int descriptor = memfd_create("euripus at work", MFD_CLOEXEC);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, sizeof(struct esv_memory)) == 0) return descriptor;
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

struct esv_memory *esv_map_memory(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return NULL;
  // Beyond the end of what is mapped a process dies of SIGBUS.
  if (status.st_size != (off_t)sizeof(struct esv_memory)) {
    errno = EINVAL;
    return NULL;
  }
  void *memory = mmap(NULL, sizeof(struct esv_memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void esv_unmap_memory(struct esv_memory *memory) { munmap(memory, sizeof *memory); }

void esv_set_entry(struct esv_entry *entry, uint64_t mark, const uint8_t *text, uint32_t length) {
  if (length > ESV_TEXT) length = ESV_TEXT;
  entry->mark = mark;
  memcpy(entry->text, text, length);
  entry->length = length;
}

// MARK: Slots

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void give_back(void *slot) {
  esv_own_slot = NULL;
  esv_give_back_stack();
  esv_end(slot);
  __atomic_store_n(&((struct esv_slot *)slot)->thread, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { has_key = pthread_key_create(&key, give_back) == 0; }

struct esv_slot *esv_take_slot(struct esv_memory *memory) {
  pthread_once(&once, make_key);
  if (!has_key) return NULL;
  for (uint32_t index = 0; index < ESV_SLOTS; index++) {
    struct esv_slot *slot = &memory->slots[index];
    uint32_t nobody = 0;
    bool is_mine = __atomic_compare_exchange_n(
      &slot->thread, &nobody, (uint32_t)gettid(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (!is_mine) continue;
    if (pthread_setspecific(key, slot) != 0) {
      __atomic_store_n(&slot->thread, 0, __ATOMIC_RELEASE);
      return NULL;
    }
    esv_take_stack();
    esv_own_slot = slot;
    return slot;
  }
  return NULL;
}

// MARK: Marks

static inline uint64_t fold(uint64_t one, uint64_t other) {
  __uint128_t product = (__uint128_t)one * other;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t esv_mark(uint64_t seed, const void *bytes, size_t length) {
  // Odd numbers whose bits are evenly spread: of the fractions of the square roots of 2, 3 and 5.
  const uint64_t first = 0x6A09E667F3BCC909, second = 0xBB67AE8584CAA73B, third = 0x3C6EF372FE94F82B;
  uint64_t hash = fold(seed ^ first, (uint64_t)length ^ second);
  const uint8_t *next = bytes;
  for (; length >= 8; length -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    hash = fold(hash ^ word ^ first, third);
  }
  uint64_t rest = 0;
  for (size_t index = 0; index < length; index++) rest |= (uint64_t)next[index] << (8 * index);
  hash = fold(hash ^ rest ^ second, third);
  return hash == 0 ? 1 : hash;
}
