// SPDX-License-Identifier: MIT
// One pointer for each thread, null at first: Swift has no thread-local variable, and a pthread key costs a call and a
// table look-up at each read (Decisions/0011). Whoever sets it owns what it points to.
#ifndef EURIPUS_THREAD_SLOT_H
#define EURIPUS_THREAD_SLOT_H

extern __thread void *euripus_thread_slot_value __attribute__((tls_model("initial-exec")));

static inline void *euripus_thread_slot(void) { return euripus_thread_slot_value; }

static inline void euripus_set_thread_slot(void *value) { euripus_thread_slot_value = value; }

#endif
