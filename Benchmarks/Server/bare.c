// SPDX-License-Identifier: MIT
//
// The floor: libmicrohttpd and nothing else, in the mode in which HTTPListening runs it. That is a daemon with
// its epoll descriptor nested in a poller of our own, MHD_get_timeout before each wait, and an 8 KiB pool. It
// reads the body of each request, and answers a fixed number of bytes.
//
// cc -O2 -Wall -Wextra -o /tmp/bare Benchmarks/Server/bare.c -lmicrohttpd -lpthread
// /tmp/bare PORT [BODY-BYTES=100] [EXTRA-HEADERS=0] [LOOPS=2]
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

static char *body;
static size_t body_bytes = 100;
static int extra_headers = 0;
static uint16_t port;
static const char *const names[] = {"Cache-Control", "X-Content-Type-Options", "Referrer-Policy",
                                    "Content-Security-Policy", "Cross-Origin-Resource-Policy", "X-Frame-Options",
                                    "Vary", "ETag", "X-Request-Id", "Link"};
static const char *const values[] = {"no-store", "nosniff", "no-referrer",
                                     "default-src 'none'; frame-ancestors 'none'", "same-origin", "DENY",
                                     "Accept, Cookie", "\"0123456789abcdef\"", "0123456789abcdef0123", "</x>; rel=self"};

struct request {
  size_t received;
};

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_bytes, void **state) {
  (void)context, (void)url, (void)method, (void)version, (void)upload;
  struct request *request = *state;
  if (!request) {
    *state = calloc(1, sizeof *request);
    return *state ? MHD_YES : MHD_NO;
  }
  if (*upload_bytes) {
    request->received += *upload_bytes;
    *upload_bytes = 0;
    return MHD_YES;
  }
  struct MHD_Response *response = MHD_create_response_from_buffer(body_bytes, body, MHD_RESPMEM_MUST_COPY);
  MHD_add_response_header(response, "Content-Type", "application/json");
  for (int i = 0; i < extra_headers && i < 10; i++) MHD_add_response_header(response, names[i], values[i]);
  enum MHD_Result result = MHD_queue_response(connection, 200, response);
  MHD_destroy_response(response);
  return result;
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  free(*state);
}

static void *loop(void *argument) {
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, port, NULL, NULL, handle, NULL, MHD_OPTION_NOTIFY_COMPLETED, completed,
      NULL, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)8192, MHD_OPTION_CONNECTION_TIMEOUT, 75u,
      MHD_OPTION_CONNECTION_LIMIT, 12000u, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
  if (!daemon) {
    fprintf(stderr, "bare: cannot listen on port %u\n", port);
    exit(1);
  }
  int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(poller, EPOLL_CTL_ADD, MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, &event);
  for (;;) {
    MHD_UNSIGNED_LONG_LONG timeout;
    int patience = MHD_get_timeout(daemon, &timeout) == MHD_YES ? (int)timeout : -1;
    if (patience != 0) epoll_wait(poller, &event, 1, patience);
    MHD_run(daemon);
  }
  return argument;
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: bare PORT [BODY-BYTES=100] [EXTRA-HEADERS=0] [LOOPS=2]\n");
    return 2;
  }
  port = (uint16_t)atoi(arguments[1]);
  if (count > 2) body_bytes = (size_t)atol(arguments[2]);
  if (count > 3) extra_headers = atoi(arguments[3]);
  int loops = count > 4 ? atoi(arguments[4]) : 2;
  body = malloc(body_bytes + 1);
  if (!body) return 1;
  memset(body, 'x', body_bytes);
  for (int i = 1; i < loops; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, loop, NULL) != 0) return 1;
  }
  loop(NULL);
}
