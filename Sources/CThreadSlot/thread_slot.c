// SPDX-License-Identifier: MIT
#include "thread_slot.h"

__thread void *euripus_thread_slot_value;
