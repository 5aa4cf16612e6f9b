// SPDX-License-Identifier: MIT
#include "CMicroHTTPDShim.h"
