// SPDX-License-Identifier: MIT
// One pointer for each thread, null at first: Swift has no thread-local variable, and a pthread key costs a call and a
// table look-up at each read (Decisions/0011). Whoever sets it owns what it points to.
#ifndef EURIPUS_RUNTIME_H
#define EURIPUS_RUNTIME_H

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>

extern __thread void *euripus_thread_slot_value __attribute__((tls_model("initial-exec")));

static inline void *euripus_thread_slot(void) { return euripus_thread_slot_value; }

static inline void euripus_set_thread_slot(void *value) { euripus_thread_slot_value = value; }

// Counting references without atomic instructions, which cost more than settling a node does: of the Swift runtime, which
// exports them for programs of one thread. Right here because one thread at a time uses a graph (Decisions/0011).
extern void *swift_nonatomic_retain(void *object);
extern void swift_nonatomic_release(void *object);

// Of the Swift runtime as well, which compiled programs call for `unowned` and `weak`: keeping the memory of an object, and
// keeping an object that may be about to end, in which case there is none (Decisions/0036).
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);
extern void *swift_tryRetain(void *object);

// Asks for lines of memory, of 64 bytes, that lie so many lines from the first, without waiting for them. There need not be
// memory at all.
static inline void euripus_prefetch_lines(uintptr_t first, const int32_t *distances, size_t count) {
  for (size_t index = 0; index < count; index++)
    __builtin_prefetch((const void *)((first + (uintptr_t)(intptr_t)distances[index]) << 6));
}

// The same of so many lines that follow the one of an address.
static inline void euripus_prefetch_next_lines(const void *address, size_t count) {
  for (size_t index = 1; index <= count; index++) __builtin_prefetch((const char *)address + (index << 6));
}

// How many bytes there are at the start of an allocation.
static inline size_t euripus_allocated_bytes(const void *allocation) { return malloc_usable_size((void *)allocation); }

#endif
