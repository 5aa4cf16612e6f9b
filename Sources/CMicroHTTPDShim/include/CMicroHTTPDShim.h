// SPDX-License-Identifier: MIT
//
// What Swift cannot call or see of libmicrohttpd, GnuTLS and Linux: variadic functions, the functions through which
// libmicrohttpd reads and sends, and sys/epoll.h and sys/eventfd.h, which Swift's Glibc module leaves out. No routes, no JSON, no
// policy.
//
// A Swift file that uses a type of the C library (sockaddr, pthread_t) imports this module besides Glibc: which of the
// two such a type belongs to depends on the order in which the compiler meets them.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>
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
  /// PEM texts, or NULL for plain HTTP.
  const char *certificate;
  const char *private_key;
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

/// The connection's TLS session; libmicrohttpd's. NULL without TLS.
void *cmhd_session(struct MHD_Connection *connection);

/// The client's address, valid as long as the connection; NULL if unknown.
const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection);

/// Has the response's body, if its length is unknown, end with the connection whatever the client's version.
void cmhd_forbid_chunks(struct MHD_Response *response);

/// accept4 with SOCK_NONBLOCK and SOCK_CLOEXEC.
int cmhd_accept(int listening, struct sockaddr *address, socklen_t *length);

// Reading and sending in libmicrohttpd's place (Decisions/0019 and 0034).

/// Instead of a count of bytes: nothing to read, or no room to write, yet; the connection is lost; not our affair.
enum { CMHD_AGAIN = -1, CMHD_LOST = -2, CMHD_NOT_OURS = -3 };

/// Fills `buffer` in libmicrohttpd's place, for the connection with this socket.
/// Returns how many bytes it wrote, 0 at the end of the stream, or one of the values above.
typedef ssize_t (*cmhd_reader)(void *context, int socket, void *buffer, size_t length);

/// Sends something else in place of what libmicrohttpd wants to send on this socket.
/// Returns 0 when all of that was sent, and libmicrohttpd is told that its own was; or one of the values above:
/// CMHD_NOT_OURS if libmicrohttpd's is to be sent.
typedef ssize_t (*cmhd_writer)(void *context, int socket);

/// From now on `reader` and `writer` stand on the calling thread between libmicrohttpd and every connection of its: one of
/// TLS if `secure`, else a plain one. NULL and NULL ends it.
void cmhd_stand_between(cmhd_reader reader, cmhd_writer writer, void *context, bool secure);

/// Whether who looks for gnutls_record_recv and gnutls_record_send in this program, as libmicrohttpd does, finds those
/// behind which a cmhd_reader and a cmhd_writer stand. Without effect on who stands on the calling thread.
bool cmhd_stands_between_records(void);

/// Whether there is something to receive from this socket, other than its end.
bool cmhd_has_unread(int socket);

/// Reads what the client sent, decrypted if the session is not NULL. Returns as a cmhd_reader does, without CMHD_NOT_OURS.
ssize_t cmhd_receive(int socket, void *session, void *buffer, size_t length);

/// Sends what the socket has room for, encrypted if the session is not NULL. Returns how many bytes it was, CMHD_AGAIN or
/// CMHD_LOST. With a session, what could not be sent has to be sent next, from the same place.
ssize_t cmhd_transmit(int socket, void *session, const void *bytes, size_t length);

/// Sends a few bytes, encrypted if the session is not NULL, if that is possible at once.
void cmhd_send(int socket, void *session, const void *bytes, size_t length);

/// Bytes that the client's system has acknowledged on this socket since it was opened, and whether the client has ended
/// its side.
struct cmhd_progress {
  unsigned long long acknowledged;
  bool client_has_ended;
};
struct cmhd_progress cmhd_progress(int socket);

/// What is wrong with a certificate and its key, both PEM texts, as GnuTLS says it; NULL if they can be used.
const char *cmhd_certificate_error(const char *certificate, const char *private_key);
