// SPDX-License-Identifier: MIT
#include "CMicroHTTPDShim.h"
// Not netinet/tcp.h: glibc's tcp_info ends before the counters.
#include <linux/tcp.h>
#include <netinet/in.h>

struct cmhd_progress cmhd_progress(int socket) {
  // The kernel's numbers of the states, which linux/tcp.h does not name.
  enum { CLOSE = 7, CLOSE_WAIT = 8, LAST_ACK = 9, CLOSING = 11 };
  struct tcp_info info = {0};
  socklen_t length = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return (struct cmhd_progress){0, true};
  const int state = info.tcpi_state;
  return (struct cmhd_progress){
      info.tcpi_bytes_acked, state == CLOSE || state == CLOSE_WAIT || state == LAST_ACK || state == CLOSING};
}
