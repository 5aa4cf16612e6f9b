// SPDX-License-Identifier: MIT
// One pointer for each thread, null at first: Swift has no thread-local variable, and a pthread key costs a call and a
// table look-up at each read (Decisions/0011). The code that sets it owns the object that it points to.
#ifndef EURIPUS_RUNTIME_H
#define EURIPUS_RUNTIME_H

extern __thread void *euripus_thread_slot_value __attribute__((tls_model("initial-exec")));

static inline void *euripus_thread_slot(void) { return euripus_thread_slot_value; }

static inline void euripus_set_thread_slot(void *value) { euripus_thread_slot_value = value; }

// Functions that count references without atomic instructions, which cost more than settling a node does. The Swift
// runtime exports them for programs of one thread. Right here because one thread at a time uses a graph
// (Decisions/0011).
extern void *swift_nonatomic_retain(void *object);
extern void swift_nonatomic_release(void *object);

#endif
