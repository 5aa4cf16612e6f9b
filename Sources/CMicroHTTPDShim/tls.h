// SPDX-License-Identifier: MIT
//
// The options of a daemon that speaks TLS.
#pragma once
#include <gnutls/abstract.h>

extern const char cmhd_priorities[];

gnutls_certificate_retrieve_function2 cmhd_retrieve_identity;
