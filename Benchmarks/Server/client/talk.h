// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { ANSWER_MOST = 65536 };

struct request {
  char *bytes, *number;
  size_t length;
};

struct requests {
  struct request *all;
  size_t count;
};

struct connection {
  int socket;
  // The index of the request that it sends next. The caller sets it.
  size_t next;
  size_t had;
  uint64_t sent;
  char answer[ANSWER_MOST + 1];
};

// The bytes of the last whole answer, its head included.
extern size_t answer_bytes;

// Ends the program with a message and status 1.
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct requests read_requests(const char *path);
struct connection *connected(uint16_t port);
void send_bytes(struct connection *to, const char *bytes, size_t length);
void send_request(struct connection *to, struct request *request);

// Waits for more bytes from the server, and puts them at the end of `answer`.
void receive(struct connection *from);

// Whether a whole answer is there, which stays until the next one is written over it. Fails for another status
// than 200, and for an answer without a Content-Length.
int is_answered(struct connection *by);

void await_answer(struct connection *by);
