// SPDX-License-Identifier: MIT
#pragma once
#include <nettle/memops.h>
#include <nettle/sha2.h>
