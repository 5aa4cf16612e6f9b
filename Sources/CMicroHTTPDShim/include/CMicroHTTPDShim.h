// SPDX-License-Identifier: MIT
//
// What Swift cannot call or see of libmicrohttpd and Linux: variadic functions, and sys/epoll.h and
// sys/eventfd.h, which Swift's Glibc module leaves out. No routes, no JSON, no policy.
//
// A Swift file that uses a type of the C library (sockaddr, pthread_t) imports this module besides Glibc: which of the
// two such a type belongs to depends on the order in which the compiler meets them.
#pragma once
#include <microhttpd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// How one daemon is started. Every pointer is borrowed for the daemon's life and owned by the caller.
struct cmhd_daemon_options {
  /// Handed to every callback as its first argument.
  void *context;
  MHD_AccessHandlerCallback handler;
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_NotifyConnectionCallback connection_changed;
  MHD_RequestCompletedCallback request_completed;
  unsigned int connection_limit;
  size_t connection_memory_bytes;
  unsigned int idle_timeout_seconds;
};

/// A daemon without a socket or thread of its own, to be run by MHD_run on the caller's thread and given
/// its connections by MHD_add_connection. NULL if it could not be started. The caller owns it: MHD_stop_daemon.
struct MHD_Daemon *cmhd_start(const struct cmhd_daemon_options *options);

/// The epoll descriptor that is readable when the daemon has something to do; the daemon's, not to be closed.
/// -1 if it has none.
int cmhd_epoll_descriptor(struct MHD_Daemon *daemon);

/// What connection_changed stored for this connection; NULL if nothing.
void *cmhd_socket_context(struct MHD_Connection *connection);

/// The connection's socket; libmicrohttpd's, not to be closed. -1 if unknown.
int cmhd_socket(struct MHD_Connection *connection);

/// The client's address, valid as long as the connection; NULL if unknown.
const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection);

/// Has the response's body, if its length is unknown, end with the connection whatever the client's version.
void cmhd_forbid_chunks(struct MHD_Response *response);

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int cmhd_accept(int listening, struct sockaddr *address, socklen_t *length);
