// SPDX-License-Identifier: MIT
#include "euripus_runtime.h"

__thread void *euripus_thread_slot_value;
