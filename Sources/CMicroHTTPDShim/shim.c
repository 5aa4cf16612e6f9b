// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CMicroHTTPDShim.h"
#include "tls.h"
#include <signal.h>

struct MHD_Daemon *cmhd_start(const struct cmhd_daemon_options *options) {
  const unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME |
                             (options->secure ? MHD_USE_TLS : 0);
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)cmhd_retrieve_identity},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)cmhd_priorities},
      {MHD_OPTION_END, 0, NULL},
  };
  if (!options->secure) tls[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, options->handler, options->context,
      MHD_OPTION_URI_LOG_CALLBACK, options->request_line, options->context,
      MHD_OPTION_NOTIFY_CONNECTION, options->connection_changed, options->context,
      MHD_OPTION_NOTIFY_COMPLETED, options->request_completed, options->context,
      MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory_bytes,
#if MHD_VERSION >= 0x01000000
      MHD_OPTION_CLIENT_DISCIPLINE_LVL, 1,
#else
      // 1 would add only that its 400 for a missing Host has the head twice; the gate refuses that by itself.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
#endif
      // Every loop's thread blocks it (cmhd_start_thread), so files may be sent by sendfile(2).
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
      // The deadlines are the loop's.
      MHD_OPTION_CONNECTION_TIMEOUT, 0,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

bool cmhd_add_field(struct MHD_Response *response, const char *name, const char *value, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const unsigned char byte = (unsigned char)value[i];
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) return false;
  }
  return MHD_add_response_header(response, name, value) == MHD_YES;
}

struct MHD_Response *cmhd_make_stream(
    int64_t length, MHD_ContentReaderCallback read, MHD_ContentReaderFreeCallback release, void *context, bool is_head) {
  // Memory for a piece of a body without chunks. One of unknown length goes to clients of HTTP/1.0 alone.
  size_t block = length < 0 ? 1024 : 16384;
  struct MHD_Response *response =
      MHD_create_response_from_callback(length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)length, block, read, context, release);
  // 0.9.75 sends the last chunk to HEAD too, which the client takes for the start of the next response.
  if (response != NULL && is_head && length < 0)
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
  return response;
}

int cmhd_accept(int listening, struct sockaddr *address, socklen_t *length) {
  return accept4(listening, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int cmhd_start_thread(pthread_t *thread, size_t stack_bytes, void *(*run)(void *), void *context) {
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  // A thread begins with the mask of the one that makes it. A client that left is an error of a write, not of the
  // process.
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  const int status = pthread_create(thread, &attributes, run, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return status;
}
