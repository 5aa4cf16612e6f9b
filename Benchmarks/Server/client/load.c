// SPDX-License-Identifier: MIT
//
// The client that measures. It has one thread and one epoll, so that it takes little of the machine that the
// server runs on, and it times in nanoseconds. It only talks to 127.0.0.1. It prints one object of JSON. An
// answer that it does not expect ends it with status 1.
//
// load actions PORT REQUESTS CONNECTIONS SECONDS   each connection sends one request after the other
// load frames PORT REQUESTS poll|stream COUNT      from an action sent to its frame read on another connection
// load burst PORT REQUESTS POLLS                   all polls wait, then all requests at once, to the last poll's answer
//
// A file of requests has, for each, its length as a line and then its bytes. The first '########' in the bytes
// becomes a new number each time that the request is sent. Connection c sends the requests c, c + CONNECTIONS,
// c + 2 CONNECTIONS … in a circle: with as many requests as connections, each connection keeps to its own. For
// `frames` the file has two requests: the action, and the GET of the frame, in which the first '@@' stands for
// the version.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "talk.h"
#include "times.h"

enum { BURST_CONNECTIONS = 8 };
static uint16_t port;

static void watch(int poller, struct connection *it) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = it};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, it->socket, &event)) fail("epoll: %s", strerror(errno));
}

static int wait_for(int poller, struct epoll_event *events, int most) {
  int count = epoll_wait(poller, events, most, 10000);
  if (!count || (count < 0 && errno != EINTR)) fail("nothing came within 10 s");
  return count;
}

static void actions(struct requests requests, size_t count, double seconds) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[512];
  struct connection **all = calloc(count, sizeof *all);
  for (size_t at = 0; at < count; at++) {
    watch(poller, all[at] = connected(port));
    all[at]->next = at % requests.count;
  }
  uint64_t start = now(), end = start + (uint64_t)(seconds * 1e9);
  for (size_t at = 0; at < count; at++) send_request(all[at], &requests.all[all[at]->next]);
  for (uint64_t time = start; time < end;) {
    int ready = wait_for(poller, events, 512);
    for (int at = 0; at < ready; at++) {
      struct connection *it = events[at].data.ptr;
      receive(it);
      if (!is_answered(it)) continue;
      note((time = now()) - it->sent);
      it->next = (it->next + count) % requests.count;
      send_request(it, &requests.all[it->next]);
    }
  }
  report((double)(now() - start) / 1e9, answer_bytes);
}

// Copies the frame's member "to" into `version`.
static void read_version(const char *frame, char *version) {
  const char *found = strstr(frame, "\"to\":\"");
  if (!found || sscanf(found + 6, "%63[^\"]", version) != 1) fail("no version in: %.400s", frame);
}

static void follow(struct connection *follower, const struct request *get, const char *version) {
  char text[2048];
  const char *gap = strstr(get->bytes, "@@");
  int length = gap ? snprintf(text, sizeof text, "%.*s%s%s", (int)(gap - get->bytes), get->bytes, version, gap + 2) : -1;
  if (length < 0 || length >= (int)sizeof text) fail("expected a GET with @@, got: %.400s", get->bytes);
  send_bytes(follower, text, (size_t)length);
}

static void await_event(struct connection *follower) {
  for (;;) {
    char *data = strstr(follower->answer, "data: ");
    if (data && strstr(data, "}\n\n")) break;
    receive(follower);
  }
  follower->had = 0;
}

static void frames(struct requests requests, int is_stream, long count) {
  if (requests.count != 2) fail("expected an action and a GET, got %zu requests", requests.count);
  struct connection *actor = connected(port), *follower = connected(port);
  struct timespec pause = {.tv_nsec = 1000000};
  char version[64], told[64];
  // The first action is not measured: it tells the version.
  send_request(actor, &requests.all[0]);
  await_answer(actor);
  read_version(actor->answer, version);
  uint64_t start = now();
  for (long at = 0; at < count; at++) {
    if (!is_stream || at == 0) follow(follower, &requests.all[1], version);
    // Gives the poll or the stream the time to wait at the server, which nothing shows. The machine is idle
    // meanwhile.
    nanosleep(&pause, NULL);
    if (is_stream && at == 0) {
      while (!strstr(follower->answer, "retry: ")) receive(follower);
    }
    follower->had = 0;
    follower->answer[0] = 0;
    send_request(actor, &requests.all[0]);
    if (is_stream) await_event(follower);
    else await_answer(follower);
    note(now() - actor->sent);
    await_answer(actor);
    read_version(actor->answer, version);
    read_version(follower->answer, told);
    if (strcmp(version, told)) fail("the action came to version %s, the frame to %s", version, told);
  }
  report((double)(now() - start) / 1e9, answer_bytes);
}

static void burst(struct requests requests, struct requests polls) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event events[512];
  struct connection *actors[BURST_CONNECTIONS];
  for (size_t at = 0; at < polls.count; at++) {
    struct connection *it = connected(port);
    it->next = SIZE_MAX;
    watch(poller, it);
    send_request(it, &polls.all[at]);
  }
  sleep(1);
  size_t next = 0, waiting = polls.count;
  uint64_t start = now();
  for (size_t at = 0; at < BURST_CONNECTIONS; at++) {
    watch(poller, actors[at] = connected(port));
    if (next < requests.count) send_request(actors[at], &requests.all[next++]);
  }
  while (waiting) {
    int ready = wait_for(poller, events, 512);
    for (int at = 0; at < ready; at++) {
      struct connection *it = events[at].data.ptr;
      receive(it);
      if (!is_answered(it)) continue;
      if (it->next == SIZE_MAX) {
        note(now() - start);
        waiting--;
      } else if (next < requests.count) {
        send_request(it, &requests.all[next++]);
      }
    }
  }
  report((double)(now() - start) / 1e9, answer_bytes);
}

int main(int count, char **arguments) {
  if (count != 6 && !(count == 5 && !strcmp(arguments[1], "burst"))) {
    fail("expected actions, frames or burst with what stands at the head of client/load.c; got %d arguments", count - 1);
  }
  port = (uint16_t)atoi(arguments[2]);
  struct requests requests = read_requests(arguments[3]);
  if (!strcmp(arguments[1], "actions")) actions(requests, strtoul(arguments[4], NULL, 10), strtod(arguments[5], NULL));
  else if (!strcmp(arguments[1], "frames")) frames(requests, !strcmp(arguments[4], "stream"), strtol(arguments[5], NULL, 10));
  else burst(requests, read_requests(arguments[4]));
}
