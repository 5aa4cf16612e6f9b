// SPDX-License-Identifier: MIT
#include "talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "times.h"

size_t answer_bytes;
static const char mark[] = "########";
// Begins with a number of the clock, so that no number of an earlier run is sent again.
static uint32_t number;

_Noreturn void fail(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  fputs("load: ", stderr);
  vfprintf(stderr, format, rest);
  fputc('\n', stderr);
  exit(1);
}

struct requests read_requests(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot open %s: %s", path, strerror(errno));
  struct requests requests = {0};
  size_t length, room = 0;
  while (fscanf(file, "%zu", &length) == 1) {
    if (fgetc(file) != '\n' || length > ANSWER_MOST) fail("%s: expected a length and its bytes", path);
    if (requests.count == room) {
      room = room ? room * 2 : 64;
      requests.all = realloc(requests.all, room * sizeof *requests.all);
    }
    char *bytes = calloc(1, length + 1);
    if (!requests.all || !bytes) fail("no memory for %zu requests", requests.count);
    if (fread(bytes, 1, length, file) != length) fail("%s ends within a request", path);
    requests.all[requests.count++] = (struct request){bytes, strstr(bytes, mark), length};
  }
  fclose(file);
  if (!requests.count) fail("%s has no request", path);
  return requests;
}

struct connection *connected(uint16_t port) {
  struct connection *it = calloc(1, sizeof *it);
  if (!it) fail("no memory for a connection");
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1;
  it->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (it->socket < 0) fail("no socket: %s", strerror(errno));
  setsockopt(it->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(it->socket, (struct sockaddr *)&address, sizeof address)) fail("port %u: %s", port, strerror(errno));
  return it;
}

void send_bytes(struct connection *to, const char *bytes, size_t length) {
  to->sent = now();
  ssize_t sent = send(to->socket, bytes, length, MSG_NOSIGNAL);
  if (sent != (ssize_t)length) fail("sent %zd of %zu bytes: %s", sent, length, strerror(errno));
}

void send_request(struct connection *to, struct request *request) {
  if (request->number) {
    if (!number) number = (uint32_t)(now() / 1000 % 80000000) + 10000000;
    uint32_t left = number++;
    for (int at = 7; at >= 0; at--, left /= 10) request->number[at] = (char)('0' + left % 10);
  }
  send_bytes(to, request->bytes, request->length);
}

void receive(struct connection *from) {
  if (from->had == ANSWER_MOST) fail("an answer of more than %d bytes: %.200s", ANSWER_MOST, from->answer);
  ssize_t got = recv(from->socket, from->answer + from->had, ANSWER_MOST - from->had, 0);
  if (got <= 0) fail("a connection ended: %s", got ? strerror(errno) : "closed by the server");
  from->had += (size_t)got;
  from->answer[from->had] = 0;
}

int is_answered(struct connection *by) {
  char *end = strstr(by->answer, "\r\n\r\n");
  if (!end) return 0;
  if (strncmp(by->answer, "HTTP/1.1 200", 12)) fail("expected 200, got: %.400s", by->answer);
  for (char *line = strstr(by->answer, "\r\n"); line < end; line = strstr(line + 2, "\r\n")) {
    if ((line[2] | 32) != 'c' || strncasecmp(line + 2, "content-length:", 15)) continue;
    size_t whole = (size_t)(end + 4 - by->answer) + strtoul(line + 17, NULL, 10);
    if (by->had < whole) return 0;
    if (by->had > whole) fail("%zu bytes after an answer", by->had - whole);
    answer_bytes = whole;
    by->had = 0;
    return 1;
  }
  fail("an answer without a length: %.400s", by->answer);
}

void await_answer(struct connection *by) {
  do receive(by);
  while (!is_answered(by));
}
