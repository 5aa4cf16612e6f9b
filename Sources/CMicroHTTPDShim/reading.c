// SPDX-License-Identifier: MIT
//
// libmicrohttpd reads a socket with recv, and a TLS session with gnutls_record_recv, both through its procedure linkage
// table. The dynamic linker looks for such a function in the program first, and so finds those of this file: what a
// client sends is read, checked and taken apart before libmicrohttpd sees a byte of it (Decisions/0019).
#define _GNU_SOURCE
#include "CMicroHTTPDShim.h"
#include <dlfcn.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <poll.h>

// Set on a loop's thread alone; on every other thread the two functions do what they always did.
static _Thread_local struct {
  cmhd_reader reader;
  void *context;
  bool secure;
} reading;

void cmhd_read_with(cmhd_reader reader, void *context, bool secure) {
  reading.reader = reader;
  reading.context = context;
  reading.secure = secure;
}

// Of a TLS connection, GnuTLS itself reads the encrypted bytes by recv, which is none of our business.
ssize_t recv(int socket, void *buffer, size_t length, int flags) {
  if (reading.reader != NULL && !reading.secure && flags == 0) {
    const ssize_t count = reading.reader(reading.context, socket, buffer, length);
    if (count >= 0) return count;
    if (count != CMHD_NOT_OURS) {
      errno = count == CMHD_AGAIN ? EAGAIN : ECONNRESET;
      return -1;
    }
  }
  return recvfrom(socket, buffer, length, flags, NULL, NULL);
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
  if (reading.reader != NULL && reading.secure) {
    const ssize_t count = reading.reader(reading.context, gnutls_transport_get_int(session), buffer, length);
    if (count >= 0) return count;
    if (count != CMHD_NOT_OURS) return count == CMHD_AGAIN ? GNUTLS_E_AGAIN : GNUTLS_E_PREMATURE_TERMINATION;
  }
  return receive_record(session, buffer, length);
}

static ssize_t note_reading(void *context, int socket, void *buffer, size_t length) {
  *(bool *)context = true;
  return CMHD_LOST;
}

bool cmhd_reads_records(void) {
  const record_recv receive = (record_recv)dlsym(RTLD_DEFAULT, "gnutls_record_recv");
  gnutls_session_t session;
  if (receive == NULL || gnutls_init(&session, GNUTLS_SERVER | GNUTLS_NONBLOCK) < 0) return false;
  gnutls_transport_set_int(session, -1);
  const __typeof__(reading) before = reading;
  bool was_asked = false;
  char byte;
  cmhd_read_with(note_reading, &was_asked, true);
  // GnuTLS's own refuses: there was no handshake.
  (void)receive(session, &byte, 1);
  reading = before;
  gnutls_deinit(session);
  return was_asked;
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
    const ssize_t count = recvfrom(socket, buffer, length, 0, NULL, NULL);
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
    (void)gnutls_record_send(session, bytes, length);
  } else {
    (void)send(socket, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
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
