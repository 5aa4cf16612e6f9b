// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "euripus_supervision.h"

bool esv_die_with_parent(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before, in which case no signal comes.
  return getppid() == parent;
}

void esv_name_process(const char *name) { prctl(PR_SET_NAME, name); }

static int add_descriptors(
  posix_spawn_file_actions_t *actions, const int *inherited, size_t count, int error_output) {
  int failure = posix_spawn_file_actions_adddup2(actions, error_output, STDERR_FILENO);
  // A descriptor that is duplicated to itself is not closed on exec any more.
  for (size_t index = 0; index < count && failure == 0; index++) {
    failure = posix_spawn_file_actions_adddup2(actions, inherited[index], inherited[index]);
  }
  return failure;
}

bool esv_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  // Except the signal of a background process that writes to the terminal: that may not stop it.
  sigdelset(&all, SIGTTOU);
  // And the signal that nohup has set to be ignored.
  if (esv_is_ignored(SIGHUP)) sigdelset(&all, SIGHUP);
  int failure = posix_spawnattr_setflags(
    attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  if (failure == 0) failure = posix_spawnattr_setpgroup(attributes, 0);
  if (failure == 0) failure = posix_spawnattr_setsigmask(attributes, &none);
  if (failure == 0) failure = posix_spawnattr_setsigdefault(attributes, &all);
  return failure;
}

int esv_spawn(
  int *pid, const char *program, char *const *arguments, const int *inherited, size_t count, int error_output) {
  posix_spawn_file_actions_t actions;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure != 0) return failure;
  posix_spawnattr_t attributes;
  failure = posix_spawnattr_init(&attributes);
  if (failure != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return failure;
  }
  failure = add_descriptors(&actions, inherited, count, error_output);
  if (failure == 0) failure = set_attributes(&attributes);
  if (failure == 0) failure = posix_spawn(pid, program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

int esv_pipe(int *reading, int *writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  *reading = ends[0];
  *writing = ends[1];
  return 0;
}

int esv_signal_descriptor(const int *signals, size_t count) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < count; index++) {
    // A blocked signal would come, though it is ignored.
    if (signals[index] == SIGHUP && esv_is_ignored(SIGHUP)) continue;
    sigaddset(&set, signals[index]);
  }
  int failure = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (failure != 0) {
    errno = failure;
    return -1;
  }
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int esv_next_signal(int descriptor) {
  struct signalfd_siginfo info;
  for (;;) {
    ssize_t count = read(descriptor, &info, sizeof info);
    if (count == (ssize_t)sizeof info) return (int)info.ssi_signo;
    if (count < 0 && errno == EINTR) continue;
    return 0;
  }
}
