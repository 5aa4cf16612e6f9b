// SPDX-License-Identifier: MIT
//
// GnuTLS gives the callbacks of a handshake nothing but its session, whose own pointer is libmicrohttpd's. But a
// handshake goes on inside MHD_run, so the data that they need belong to the thread that runs the daemon.
#include "tls.h"
#include "CMicroHTTPDShim.h"
#include <stdlib.h>
#include <string.h>

// TLS 1.3 and 1.2 with forward secrecy and authenticated encryption, in the server's order. Only groups that cost
// little: a client that asks for ffdhe8192 takes 424 ms of a core for each connection.
const char cmhd_priorities[] =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:+AES-256-GCM:"
    "+CHACHA20-POLY1305:+AES-128-GCM:-GROUP-ALL:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%SERVER_PRECEDENCE";

struct cmhd_identity {
  // GnuTLS verifies no chain that is longer.
  gnutls_pcert_st chain[16];
  unsigned int count;
  gnutls_privkey_t key;
};

static _Thread_local const struct cmhd_identity *identity_here;
static _Thread_local void (*finished_here)(void *context, const void *handshake);
static _Thread_local void *context_here;

static gnutls_datum_t datum(const char *text) {
  return (gnutls_datum_t){(unsigned char *)text, (unsigned int)strlen(text)};
}

// Fills an identity that is all zeros from two texts. Returns 0 or an error of GnuTLS.
static int take_texts(struct cmhd_identity *identity, const char *certificate, const char *private_key) {
  const gnutls_datum_t chain = datum(certificate), key = datum(private_key);
  identity->count = sizeof identity->chain / sizeof identity->chain[0];
  int status = gnutls_pcert_list_import_x509_raw(
      identity->chain, &identity->count, &chain, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_SORT);
  // GnuTLS leaves no certificate behind when it fails.
  if (status < 0) identity->count = 0;
  if (status >= 0) status = gnutls_privkey_init(&identity->key);
  if (status >= 0) status = gnutls_privkey_import_x509_raw(identity->key, &key, GNUTLS_X509_FMT_PEM, NULL, 0);
  return status;
}

static void let_go(struct cmhd_identity *identity) {
  for (unsigned int i = 0; i < identity->count; i++) gnutls_pcert_deinit(&identity->chain[i]);
  if (identity->key != NULL) gnutls_privkey_deinit(identity->key);
}

struct cmhd_identity *cmhd_make_identity(const char *certificate, const char *private_key) {
  struct cmhd_identity *identity = calloc(1, sizeof *identity);
  if (identity == NULL || take_texts(identity, certificate, private_key) >= 0) return identity;
  cmhd_free_identity(identity);
  return NULL;
}

void cmhd_free_identity(struct cmhd_identity *identity) {
  let_go(identity);
  free(identity);
}

void cmhd_use_identity(const struct cmhd_identity *identity) { identity_here = identity; }

// Every client gets the same identity, whatever name it asks for. GnuTLS neither takes it over nor changes it.
int cmhd_retrieve_identity(
    gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count, const gnutls_pk_algorithm_t *algorithms,
    int algorithm_count, gnutls_pcert_st **chain, unsigned int *count, gnutls_privkey_t *key) {
  (void)session, (void)authorities, (void)authority_count, (void)algorithms, (void)algorithm_count;
  if (identity_here == NULL) return -1;
  *chain = (gnutls_pcert_st *)identity_here->chain;
  *count = identity_here->count;
  *key = identity_here->key;
  return 0;
}

static int handshake_message(
    gnutls_session_t session, unsigned int type, unsigned int when, unsigned int incoming, const gnutls_datum_t *message) {
  (void)type, (void)when, (void)message;
  // The client sends the last message of a handshake, but in TLS 1.2 the server may send one after it.
  if (incoming && finished_here != NULL) finished_here(context_here, session);
  return 0;
}

const void *cmhd_watch_handshake(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (info == NULL || info->tls_session == NULL) return NULL;
  gnutls_handshake_set_hook_function(info->tls_session, GNUTLS_HANDSHAKE_FINISHED, GNUTLS_HOOK_POST, handshake_message);
  return info->tls_session;
}

void cmhd_tell_handshakes(void (*finished)(void *context, const void *handshake), void *context) {
  finished_here = finished;
  context_here = context;
}

const char *cmhd_certificate_error(const char *certificate, const char *private_key) {
  gnutls_certificate_credentials_t credentials;
  int status = gnutls_certificate_allocate_credentials(&credentials);
  if (status < 0) return gnutls_strerror(status);
  const gnutls_datum_t chain = datum(certificate), key = datum(private_key);
  status = gnutls_certificate_set_x509_key_mem(credentials, &chain, &key, GNUTLS_X509_FMT_PEM);
  gnutls_certificate_free_credentials(credentials);
  // The certificate and the key fit each other; the chain may still be too long.
  struct cmhd_identity identity = {0};
  if (status >= 0) status = take_texts(&identity, certificate, private_key);
  let_go(&identity);
  return status < 0 ? gnutls_strerror(status) : NULL;
}
