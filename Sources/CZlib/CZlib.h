// SPDX-License-Identifier: MIT
//
// The part of zlib that Swift cannot call: deflateInit2 is a macro.
#pragma once
#include <stddef.h>
#include <zlib.h>

/// Writes bytes as gzip (RFC 1952) into a space of so many bytes. Both belong to the caller.
/// The level is one of zlib's, from 1 for the least time to 9 for the fewest bytes.
/// Returns how many were written; 0 if they have no room, or there is no memory.
static inline size_t czlib_gzip(
    const unsigned char *bytes, unsigned int length, unsigned char *space, unsigned int capacity, int level) {
  // 16 asks for gzip's header and check sum; the memory level is zlib's default.
  enum { WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };
  z_stream stream = {.next_in = bytes, .avail_in = length, .next_out = space, .avail_out = capacity};
  if (deflateInit2(&stream, level, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  const int status = deflate(&stream, Z_FINISH);
  const size_t count = stream.total_out;
  deflateEnd(&stream);
  return status == Z_STREAM_END ? count : 0;
}
