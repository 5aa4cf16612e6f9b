// SPDX-License-Identifier: MIT
//
// libmicrohttpd reads a socket with recv, and a TLS session with gnutls_record_recv, and sends with send and
// gnutls_record_send, all through its procedure linkage table. The dynamic linker looks for such a function in the program
// first, and so finds those of this file: what a client sends is read, checked and taken apart before libmicrohttpd sees a
// byte of it (Decisions/0019), and what a client gets is written by us but for the frame of chunks (Decisions/0034).
#define _GNU_SOURCE
#include "CMicroHTTPDShim.h"
#include <dlfcn.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

// Set on a loop's thread alone; on every other thread the four functions do what they always did.
static _Thread_local struct {
  cmhd_reader reader;
  cmhd_writer writer;
  void *context;
  bool secure;
} between;

void cmhd_stand_between(cmhd_reader reader, cmhd_writer writer, void *context, bool secure) {
  between.reader = reader;
  between.writer = writer;
  between.context = context;
  between.secure = secure;
}

// Of a TLS connection, GnuTLS itself reads the encrypted bytes by recv, which is none of our business.
ssize_t recv(int socket, void *buffer, size_t length, int flags) {
  if (between.reader != NULL && !between.secure && flags == 0) {
    const ssize_t count = between.reader(between.context, socket, buffer, length);
    if (count >= 0) return count;
    if (count != CMHD_NOT_OURS) {
      errno = count == CMHD_AGAIN ? EAGAIN : ECONNRESET;
      return -1;
    }
  }
  return recvfrom(socket, buffer, length, flags, NULL, NULL);
}

ssize_t send(int socket, const void *bytes, size_t length, int flags) {
  if (between.writer != NULL && !between.secure) {
    const ssize_t result = between.writer(between.context, socket);
    if (result == 0) return (ssize_t)length;
    if (result != CMHD_NOT_OURS) {
      errno = result == CMHD_AGAIN ? EAGAIN : EPIPE;
      return -1;
    }
  }
  return sendto(socket, bytes, length, flags, NULL, 0);
}

typedef ssize_t (*record_recv)(gnutls_session_t, void *, size_t);

static ssize_t receive_record(gnutls_session_t session, void *buffer, size_t length) {
  static _Atomic(record_recv) found;
  record_recv receive = found;
  if (receive == NULL) {
    receive = (record_recv)dlsym(RTLD_NEXT, "gnutls_record_recv");
    if (receive == NULL) return GNUTLS_E_INTERNAL_ERROR;
    found = receive;
  }
  return receive(session, buffer, length);
}

ssize_t gnutls_record_recv(gnutls_session_t session, void *buffer, size_t length) {
  if (between.reader != NULL && between.secure) {
    const ssize_t count = between.reader(between.context, gnutls_transport_get_int(session), buffer, length);
    if (count >= 0) return count;
    if (count != CMHD_NOT_OURS) return count == CMHD_AGAIN ? GNUTLS_E_AGAIN : GNUTLS_E_PREMATURE_TERMINATION;
  }
  return receive_record(session, buffer, length);
}

typedef ssize_t (*record_send)(gnutls_session_t, const void *, size_t);

static ssize_t send_record(gnutls_session_t session, const void *bytes, size_t length) {
  static _Atomic(record_send) found;
  record_send send = found;
  if (send == NULL) {
    send = (record_send)dlsym(RTLD_NEXT, "gnutls_record_send");
    if (send == NULL) return GNUTLS_E_INTERNAL_ERROR;
    found = send;
  }
  return send(session, bytes, length);
}

ssize_t gnutls_record_send(gnutls_session_t session, const void *bytes, size_t length) {
  if (between.writer != NULL && between.secure) {
    const ssize_t result = between.writer(between.context, gnutls_transport_get_int(session));
    if (result == 0) return (ssize_t)length;
    if (result != CMHD_NOT_OURS) return result == CMHD_AGAIN ? GNUTLS_E_AGAIN : GNUTLS_E_PUSH_ERROR;
  }
  return send_record(session, bytes, length);
}

struct asked {
  bool to_read;
  bool to_write;
};

static ssize_t note_reading(void *context, int socket, void *buffer, size_t length) {
  ((struct asked *)context)->to_read = true;
  return CMHD_LOST;
}

static ssize_t note_writing(void *context, int socket) {
  ((struct asked *)context)->to_write = true;
  return CMHD_LOST;
}

bool cmhd_stands_between_records(void) {
  const record_recv receive = (record_recv)dlsym(RTLD_DEFAULT, "gnutls_record_recv");
  const record_send send = (record_send)dlsym(RTLD_DEFAULT, "gnutls_record_send");
  gnutls_session_t session;
  if (receive == NULL || send == NULL || gnutls_init(&session, GNUTLS_SERVER | GNUTLS_NONBLOCK) < 0) return false;
  gnutls_transport_set_int(session, -1);
  const __typeof__(between) before = between;
  struct asked asked = {false, false};
  char byte = 0;
  cmhd_stand_between(note_reading, note_writing, &asked, true);
  // GnuTLS's own refuse: there was no handshake.
  (void)receive(session, &byte, 1);
  (void)send(session, &byte, 1);
  between = before;
  gnutls_deinit(session);
  return asked.to_read && asked.to_write;
}

bool cmhd_has_unread(int socket) {
  char byte;
  return recvfrom(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL) > 0;
}

ssize_t cmhd_receive(int socket, void *session, void *buffer, size_t length) {
  // Reads without data in a row: of new keys GnuTLS allows 8 a second, and a record may come in many segments.
  int empty_reads = 256;
  for (;;) {
    if (session != NULL) {
      const ssize_t count = receive_record(session, buffer, length);
      if (count >= 0) return count;
      if (count == GNUTLS_E_INTERRUPTED) continue;
      // Also said after a record without data, such as one for new keys (RFC 8446 §4.6.3), with the next one in the
      // socket: libmicrohttpd would wait for an edge of epoll that does not come.
      if (count == GNUTLS_E_AGAIN && cmhd_has_unread(socket)) {
        if (empty_reads-- == 0) return CMHD_LOST;
        continue;
      }
      return count == GNUTLS_E_AGAIN ? CMHD_AGAIN : CMHD_LOST;
    }
    // Not by recvfrom: that is a point at which a thread may be cancelled, for which the C library (glibc before 2.41) takes
    // two atomic operations around each call, and nobody cancels ours. Sanitizers do not see it. The same below.
    const ssize_t count = syscall(SYS_recvfrom, socket, buffer, length, 0, NULL, NULL);
    if (count >= 0) return count;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? CMHD_AGAIN : CMHD_LOST;
  }
}

ssize_t cmhd_transmit(int socket, void *session, const void *bytes, size_t length) {
  for (;;) {
    if (session != NULL) {
      const ssize_t count = send_record(session, bytes, length);
      if (count >= 0) return count;
      if (count == GNUTLS_E_INTERRUPTED) continue;
      return count == GNUTLS_E_AGAIN ? CMHD_AGAIN : CMHD_LOST;
    }
    const ssize_t count = syscall(SYS_sendto, socket, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
    if (count >= 0) return count;
    if (errno == EINTR) continue;
    return errno == EAGAIN || errno == EWOULDBLOCK ? CMHD_AGAIN : CMHD_LOST;
  }
}

void cmhd_send(int socket, void *session, const void *bytes, size_t length) {
  // Only into a socket with room for all of it: GnuTLS would go on with what is left instead of what is sent next.
  struct pollfd polled = {.fd = socket, .events = POLLOUT};
  if (poll(&polled, 1, 0) != 1 || polled.revents != POLLOUT) return;
  if (session != NULL) {
    (void)send_record(session, bytes, length);
  } else {
    (void)sendto(socket, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
  }
}

const char *cmhd_certificate_error(const char *certificate, const char *private_key) {
  gnutls_certificate_credentials_t credentials;
  int status = gnutls_certificate_allocate_credentials(&credentials);
  if (status < 0) return gnutls_strerror(status);
  const gnutls_datum_t chain = {(unsigned char *)certificate, __builtin_strlen(certificate)};
  const gnutls_datum_t key = {(unsigned char *)private_key, __builtin_strlen(private_key)};
  status = gnutls_certificate_set_x509_key_mem(credentials, &chain, &key, GNUTLS_X509_FMT_PEM);
  gnutls_certificate_free_credentials(credentials);
  return status < 0 ? gnutls_strerror(status) : NULL;
}
