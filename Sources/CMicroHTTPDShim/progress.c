// SPDX-License-Identifier: MIT
#include "CMicroHTTPDShim.h"
// Not netinet/tcp.h: glibc's tcp_info ends before the counters.
#include <linux/tcp.h>
#include <netinet/in.h>

struct cmhd_progress cmhd_progress(int socket) {
  // RFC 9293 §3.3.2; the kernel's number of the state, which linux/tcp.h does not name.
  enum { CLOSE_WAIT = 8 };
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return (struct cmhd_progress){0, false};
  return (struct cmhd_progress){info.tcpi_bytes_acked, info.tcpi_state == CLOSE_WAIT};
}
