// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "CMicroHTTPDShim.h"

struct MHD_Daemon *cmhd_start(const struct cmhd_daemon_options *options) {
  const bool secure = options->certificate != NULL;
  // No date: of what it writes as a response's head nothing is sent.
  const unsigned int flags = MHD_USE_EPOLL | MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME |
                             MHD_USE_SUPPRESS_DATE_NO_CLOCK | (secure ? MHD_USE_TLS : 0);
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)options->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)options->private_key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL},
  };
  if (!secure) tls[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, options->handler, options->context,
      MHD_OPTION_URI_LOG_CALLBACK, options->request_line, options->context,
      MHD_OPTION_NOTIFY_CONNECTION, options->connection_changed, options->context,
      MHD_OPTION_NOTIFY_COMPLETED, options->request_completed, options->context,
      MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory_bytes,
      // It sees only heads that were written for it, and the deadlines are the loop's.
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
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

void *cmhd_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info ? info->tls_session : NULL;
}

const struct sockaddr *cmhd_client_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

int cmhd_accept(int listening, struct sockaddr *address, socklen_t *length) {
  return accept4(listening, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void cmhd_forbid_chunks(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
