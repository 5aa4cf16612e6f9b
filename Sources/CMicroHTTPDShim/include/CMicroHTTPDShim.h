// SPDX-License-Identifier: MIT
//
// The part of libmicrohttpd, GnuTLS and Linux that Swift cannot call or see: variadic functions, casts in macros, and
// sys/epoll.h, sys/eventfd.h and linux/tcp.h, which Swift's Glibc module leaves out. No routes, no JSON, no policy.
//
// A Swift file that uses a type of the C library (sockaddr, pthread_t) imports this module besides Glibc: which of the
// two such a type belongs to depends on the order in which the compiler meets them.
#pragma once
#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// The options of one daemon. Every pointer is borrowed for the daemon's life and owned by the caller.
struct cmhd_daemon_options {
  /// Handed to every callback as its first argument.
  void *context;
  MHD_AccessHandlerCallback handler;
  void *(*request_line)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_NotifyConnectionCallback connection_changed;
  MHD_RequestCompletedCallback request_completed;
  unsigned int connection_limit;
  size_t connection_memory_bytes;
  /// Whether it speaks TLS, with the identity that its thread has set by cmhd_use_identity.
  bool secure;
};

/// A daemon without a socket or thread of its own, to be run by MHD_run on the caller's thread and given
/// its connections by MHD_add_connection. NULL if it could not be started. The caller owns it: MHD_stop_daemon.
struct MHD_Daemon *cmhd_start(const struct cmhd_daemon_options *options);

/// The epoll descriptor that is readable when the daemon has something to do; the daemon's, not to be closed.
/// -1 if it has none.
int cmhd_epoll_descriptor(struct MHD_Daemon *daemon);

/// The pointer that connection_changed stored for this connection; NULL if it stored none.
void *cmhd_socket_context(struct MHD_Connection *connection);

/// The connection's socket; libmicrohttpd's, not to be closed. -1 if unknown.
int cmhd_socket(struct MHD_Connection *connection);

/// The client's address, valid as long as the connection; NULL if unknown.
const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection);

/// Adds a field to a response. False if the value, of this length and ended by NUL, has a control character.
bool cmhd_add_field(struct MHD_Response *response, const char *name, const char *value, size_t length);

/// A response with a body of this length, -1 if it is unknown, for which `read` is asked. Calls `release` when it goes. If
/// `is_head`, its body is never sent; with one of unknown length the connection ends, whatever the client's version.
struct MHD_Response *cmhd_make_stream(
    int64_t length, MHD_ContentReaderCallback read, MHD_ContentReaderFreeCallback release, void *context, bool is_head);

/// Results of a content reader.
enum { CMHD_END_OF_STREAM = -1, CMHD_END_WITH_ERROR = -2 };

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int cmhd_accept(int listening, struct sockaddr *address, socklen_t *length);

/// The progress of a TCP connection: the bytes that the client's system has acknowledged, and whether the client has
/// ended its side.
struct cmhd_progress {
  unsigned long long acknowledged;
  bool client_has_ended;
};
struct cmhd_progress cmhd_progress(int socket);

/// Starts a thread with this stack, with SIGPIPE blocked. Returns 0 or the error's number.
int cmhd_start_thread(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *context);

/// A certificate, the certificates that vouch for it, and its private key.
struct cmhd_identity;

/// Makes an identity from two PEM texts, which are copied. NULL if they cannot be used: cmhd_certificate_error says
/// why. The caller owns it: cmhd_free_identity.
struct cmhd_identity *cmhd_make_identity(const char *certificate, const char *private_key);
void cmhd_free_identity(struct cmhd_identity *identity);

/// Has each handshake that begins on the calling thread, by any daemon that it runs, give this identity from now on.
/// It is borrowed until those daemons are stopped, whatever is set after it: a handshake may be under way.
void cmhd_use_identity(const struct cmhd_identity *identity);

/// Has `finished` told of the connection's handshake when that is over, by the thread that runs its daemon, with the
/// pointer that is returned: it names the handshake as long as the connection lives. NULL without TLS.
const void *cmhd_watch_handshake(struct MHD_Connection *connection);

/// Sets the function that is told of the handshakes that the calling thread watches.
void cmhd_tell_handshakes(void (*finished)(void *context, const void *handshake), void *context);

/// The fault of a certificate and its key, both PEM texts, as GnuTLS says it; NULL if they can be used.
const char *cmhd_certificate_error(const char *certificate, const char *private_key);
