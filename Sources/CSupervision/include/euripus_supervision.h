// SPDX-License-Identifier: MIT
// The memory that a supervised server shares with its supervisor, and the system calls that Swift cannot make
// (Decisions/0032).
//
// The memory has no name: the supervisor makes it, each server inherits it, and it lives as long as the supervisor.
// While a server lives it alone writes; once it is dead the supervisor alone does. So nothing in it needs a lock.
#ifndef EURIPUS_SUPERVISION_H
#define EURIPUS_SUPERVISION_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ESV_SLOTS = 256, ESV_TEXT = 240 };

// The work of one thread. Valid if and only if `mark` is not 0: it is written last, and cleared first.
struct esv_slot {
  uint64_t mark;
  // Marks of the work's client and of its action; 0 for none.
  uint64_t client;
  uint64_t action;
  // The thread that has the slot; 0 for none.
  uint32_t thread;
  uint32_t length;
  uint8_t text[ESV_TEXT];
};

struct esv_memory {
  struct esv_slot slots[ESV_SLOTS];
};

// MARK: The memory

// Makes the memory, all zeros. Returns its descriptor, closed on exec, or -1 with errno.
int esv_make_memory(void);
// Maps the memory. Returns NULL with errno; also for a descriptor of something else.
struct esv_memory *esv_map_memory(int descriptor);
void esv_unmap_memory(struct esv_memory *memory);
// Clears the memory to its first state; to be called when there is no server.
void esv_clear(struct esv_memory *memory);

static inline struct esv_slot *esv_slot_at(struct esv_memory *memory, uint32_t index) { return &memory->slots[index]; }
static inline const uint8_t *esv_slot_text(const struct esv_slot *slot) { return slot->text; }

// The calling thread's slot, which it has until it ends; NULL if all are taken. A thread that gets one is named "model
// N" after the slot's index, so that a backtrace tells it. It gets a stack for handlers of signals, so that it has a
// backtrace when its own stack is used up. The process's first thread keeps its name, which is the process's.
struct esv_slot *esv_own_slot(struct esv_memory *memory);

// Notes a work in the slot; a text that is too long is cut off.
void esv_begin(
  struct esv_slot *slot, uint64_t mark, uint64_t client, uint64_t action, const uint8_t *text, size_t length);
void esv_end(struct esv_slot *slot);

// MARK: Files

// The name of an entry of a directory, an array that Swift has as a tuple.
static inline const char *esv_entry_name(const struct dirent *entry) { return entry->d_name; }

// MARK: Processes

// Has the calling process killed when its parent dies. Returns false if its parent is not (or no longer) this one.
bool esv_die_with_parent(int parent);

// Gives the process a name for lists of processes, of which 15 bytes count. To be called in its first thread.
void esv_name_process(const char *name);

// Starts the program of this path with these arguments and this process's environment, in a process group of its own,
// with no signal blocked or handled. Of the descriptors that are closed on exec, it inherits those named. Returns an
// errno, or 0.
int esv_spawn(
  int *pid, const char *program, char *const *arguments, const int *inherited, size_t count, int error_output);

// A pipe that is closed on exec: its end to read, which does not block, and its end to write. Returns 0, or -1 with
// errno.
int esv_pipe(int *reading, int *writing);

// Whether this process ignores a signal, as nohup has SIGHUP ignored.
bool esv_is_ignored(int number);

// Blocks the signals, but SIGHUP where that is ignored. Returns a descriptor that reads them without blocking, or -1
// with errno.
int esv_signal_descriptor(const int *signals, size_t count);
// The next signal; 0 if there is none.
int esv_next_signal(int descriptor);

#endif
