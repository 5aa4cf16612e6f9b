// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "euripus_supervision.h"

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
  // A process that touches bytes beyond the end of the file dies of SIGBUS.
  if (status.st_size != (off_t)sizeof(struct esv_memory)) {
    errno = EINVAL;
    return NULL;
  }
  void *memory = mmap(NULL, sizeof(struct esv_memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void esv_unmap_memory(struct esv_memory *memory) { munmap(memory, sizeof *memory); }

void esv_clear(struct esv_memory *memory) { memset(memory, 0, sizeof *memory); }

// MARK: Slots

// The bytes of the stack for handlers of signals.
enum { STACK = 65536 };

static __thread struct esv_slot *own_slot;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void take_stack(void) {
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  stack.ss_flags = 0;
  stack.ss_size = STACK;
  stack.ss_sp = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack.ss_sp == MAP_FAILED) return;
  if (sigaltstack(&stack, NULL) != 0) munmap(stack.ss_sp, STACK);
}

static void give_back_stack(void) {
  stack_t none = {.ss_flags = SS_DISABLE}, own;
  if (sigaltstack(NULL, &own) != 0 || (own.ss_flags & SS_DISABLE) || own.ss_size != STACK) return;
  if (sigaltstack(&none, NULL) == 0) munmap(own.ss_sp, STACK);
}

static void give_back(void *slot) {
  own_slot = NULL;
  give_back_stack();
  esv_end(slot);
  __atomic_store_n(&((struct esv_slot *)slot)->thread, 0, __ATOMIC_RELEASE);
}

static void make_key(void) { has_key = pthread_key_create(&key, give_back) == 0; }

static struct esv_slot *take_slot(struct esv_memory *memory) {
  for (uint32_t index = 0; index < ESV_SLOTS; index++) {
    struct esv_slot *slot = &memory->slots[index];
    uint32_t nobody = 0;
    if (__atomic_compare_exchange_n(
          &slot->thread, &nobody, (uint32_t)gettid(), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      char name[16];
      snprintf(name, sizeof name, "model %u", index);
      if (gettid() != getpid()) pthread_setname_np(pthread_self(), name);
      return slot;
    }
  }
  return NULL;
}

struct esv_slot *esv_own_slot(struct esv_memory *memory) {
  if (own_slot != NULL) return own_slot;
  pthread_once(&once, make_key);
  struct esv_slot *slot = has_key ? take_slot(memory) : NULL;
  if (slot == NULL) return NULL;
  if (pthread_setspecific(key, slot) != 0) {
    __atomic_store_n(&slot->thread, 0, __ATOMIC_RELEASE);
    return NULL;
  }
  take_stack();
  own_slot = slot;
  return slot;
}

void esv_begin(
  struct esv_slot *slot, uint64_t mark, uint64_t client, uint64_t action, const uint8_t *text, size_t length) {
  if (length > ESV_TEXT) length = ESV_TEXT;
  // Nobody reads it while the process lives; the compiler alone must keep to the order.
  __atomic_store_n(&slot->mark, 0, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  slot->client = client;
  slot->action = action;
  memcpy(slot->text, text, length);
  slot->length = (uint32_t)length;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&slot->mark, mark, __ATOMIC_RELEASE);
}

void esv_end(struct esv_slot *slot) { __atomic_store_n(&slot->mark, 0, __ATOMIC_RELEASE); }
