// SPDX-License-Identifier: MIT
#pragma once
#include <microhttpd.h>
