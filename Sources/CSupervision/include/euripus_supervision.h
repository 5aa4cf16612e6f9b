// SPDX-License-Identifier: MIT
// What a supervised server and its supervisor share, and what of the system Swift cannot call (Decisions/0032).
//
// The memory has no name: the supervisor makes it, each server inherits it, and it lives as long as the supervisor. While a
// server lives it alone writes; once it is dead the supervisor alone does. So nothing in it needs a lock.
#ifndef EURIPUS_SUPERVISION_H
#define EURIPUS_SUPERVISION_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
  ESV_SLOTS = 128,
  ESV_ENTRIES = 256,
  ESV_MODULES = 64,
  ESV_FRAMES = 128,
  ESV_TEXT = 232,
  ESV_PATH = 240,
  // Bytes, of the stack that a handler of signals has.
  ESV_STACK = 65536,
};

// What one thread is at. Valid if and only if `mark` is not 0: it is written last, and cleared first.
struct esv_slot {
  uint64_t mark;
  uint32_t length;
  // Which thread has it; 0 for none.
  uint32_t thread;
  uint8_t text[ESV_TEXT];
};

// Work that a server died at. Written by the supervisor while there is no server.
struct esv_entry {
  uint64_t mark;
  // When the last one died at it, in seconds of CLOCK_MONOTONIC.
  int64_t at;
  // How often one died while this was at work; see the reader for how often is too often.
  uint32_t deaths;
  uint32_t length;
  uint8_t text[ESV_TEXT];
};

// A program or library in the server's memory, by which the addresses of a backtrace are told.
struct esv_module {
  uint64_t bias;
  uint64_t start;
  uint64_t end;
  char path[ESV_PATH];
};

// What the handler of a deadly signal has found out. Valid if and only if `signal` is not 0: it is written last.
struct esv_crash {
  int32_t signal;
  int32_t code;
  uint64_t address;
  uint64_t instruction;
  // The slot of the thread that it came to, counted from 1; 0 for a thread that has none.
  uint32_t slot;
  uint32_t frame_count;
  uint64_t frames[ESV_FRAMES];
};

struct esv_memory {
  uint32_t entry_count;
  uint32_t module_count;
  struct esv_crash crash;
  struct esv_slot slots[ESV_SLOTS];
  struct esv_entry entries[ESV_ENTRIES];
  struct esv_module modules[ESV_MODULES];
};

// MARK: The memory

// Makes the memory, all zeros. Returns its descriptor, closed on exec, or -1 with errno.
int esv_make_memory(void);
// Maps it. Returns NULL with errno; also for a descriptor of something else.
struct esv_memory *esv_map_memory(int descriptor);
void esv_unmap_memory(struct esv_memory *memory);

static inline struct esv_slot *esv_slot_at(struct esv_memory *memory, uint32_t index) { return &memory->slots[index]; }
static inline struct esv_entry *esv_entry_at(struct esv_memory *memory, uint32_t index) {
  return &memory->entries[index];
}
static inline struct esv_module *esv_module_at(struct esv_memory *memory, uint32_t index) {
  return &memory->modules[index];
}
static inline const uint8_t *esv_slot_text(const struct esv_slot *slot) { return slot->text; }
static inline const uint8_t *esv_entry_text(const struct esv_entry *entry) { return entry->text; }
static inline const char *esv_module_path(const struct esv_module *module) { return module->path; }
static inline uint64_t esv_frame_at(const struct esv_memory *memory, uint32_t index) {
  return memory->crash.frames[index];
}
void esv_set_entry(struct esv_entry *entry, uint64_t mark, const uint8_t *text, uint32_t length);

// MARK: What is at work

extern __thread struct esv_slot *esv_own_slot __attribute__((tls_model("initial-exec")));

// The calling thread's; NULL if it has none.
static inline struct esv_slot *esv_slot_of_thread(void) { return esv_own_slot; }

// Gives the calling thread a slot until it ends, and a stack of its own for the handler of deadly signals, so that a thread
// whose stack is used up can still say so. Returns NULL if all are taken.
struct esv_slot *esv_take_slot(struct esv_memory *memory);

// A well-mixed 64-bit hash (of the multiply-and-fold family), not one that withstands an enemy: who finds two requests with
// one mark has only kept itself out. The same in every process. Never 0.
uint64_t esv_mark(uint64_t seed, const void *bytes, size_t length);

// Notes a verb and its object, with a space between them; what is too long is cut off.
static inline void esv_begin(
  struct esv_slot *slot, uint64_t mark, const uint8_t *verb, size_t verb_length, const uint8_t *object,
  size_t object_length) {
  if (verb_length > ESV_TEXT / 4) verb_length = ESV_TEXT / 4;
  if (object_length > ESV_TEXT - 1 - verb_length) object_length = ESV_TEXT - 1 - verb_length;
  __atomic_store_n(&slot->mark, 0, __ATOMIC_RELAXED);
  // Only this thread's own handler of signals, and nobody while the process lives, reads what is written here.
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __builtin_memcpy(slot->text, verb, verb_length);
  slot->text[verb_length] = ' ';
  __builtin_memcpy(slot->text + verb_length + 1, object, object_length);
  slot->length = (uint32_t)(verb_length + 1 + object_length);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(&slot->mark, mark, __ATOMIC_RELEASE);
}

static inline void esv_end(struct esv_slot *slot) { __atomic_store_n(&slot->mark, 0, __ATOMIC_RELEASE); }

// MARK: Deadly signals

// Has the calling process write down in the memory what a deadly signal came to, say so by one byte 'C' to the status
// descriptor, and then die of it as it would have. Notes the modules that are loaded now.
void esv_watch_for_crashes(struct esv_memory *memory, int status);

// Gives the calling thread a stack for handlers of signals, if it has none, and takes that away again.
void esv_take_stack(void);
void esv_give_back_stack(void);

// MARK: Processes

// Has the calling process killed when its parent dies. Returns false if the parent is not that one (any more).
bool esv_die_with_parent(pid_t parent);

// Starts this same program anew with these arguments and this process's environment, in a process group of its own, with no
// signal blocked or handled; of the descriptors that are closed on exec, it inherits those named. Returns an errno, or 0.
int esv_spawn_self(
  pid_t *pid, char *const *arguments, const int *inherited, size_t count, int error_output);

// A pipe that is closed on exec: its end to read, which does not block, and its end to write. Returns 0, or -1 with errno.
int esv_pipe(int *reading, int *writing);

// Blocks the signals, but SIGHUP where that is ignored, and returns a descriptor that reads them, not blocking, or -1 with errno.
int esv_signal_descriptor(const int *signals, size_t count);
// The next signal; 0 if there is none.
int esv_next_signal(int descriptor);

// Of the Swift runtime, which exports it: the name that a programmer knows. To be freed by free(); NULL if it is none.
extern char *swift_demangle(
  const char *mangled, size_t length, char *buffer, size_t *buffer_size, uint32_t flags);

#endif
