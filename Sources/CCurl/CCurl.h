// SPDX-License-Identifier: MIT
#pragma once
#include <curl/curl.h>

// A function for each type of argument: curl_easy_setopt(3) and curl_easy_getinfo(3) take arguments of any type, and
// Swift cannot call such functions.

typedef size_t (*euripus_curl_sink)(char *bytes, size_t size, size_t count, void *owner);

static inline CURLcode euripus_curl_text(CURL *handle, CURLoption option, const char *text) {
  return curl_easy_setopt(handle, option, text);
}

static inline CURLcode euripus_curl_number(CURL *handle, CURLoption option, long number) {
  return curl_easy_setopt(handle, option, number);
}

static inline CURLcode euripus_curl_pointer(CURL *handle, CURLoption option, void *pointer) {
  return curl_easy_setopt(handle, option, pointer);
}

static inline CURLcode euripus_curl_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

static inline CURLcode euripus_curl_function(CURL *handle, CURLoption option, euripus_curl_sink sink) {
  return curl_easy_setopt(handle, option, sink);
}

static inline long euripus_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// Whether there was a connection, so that a part of the request may have been sent.
static inline int euripus_curl_was_connected(CURL *handle) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}

// The system's reason why there is no connection; 0 for none.
static inline long euripus_curl_error(CURL *handle) {
  long error = 0;
  curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &error);
  return error;
}

static inline void *euripus_curl_owner(CURL *handle) {
  void *owner = NULL;
  curl_easy_getinfo(handle, CURLINFO_PRIVATE, &owner);
  return owner;
}

// The finished transfer that a message of curl_multi_info_read(3) names, and its outcome.
static inline CURL *euripus_curl_finished(CURLMsg *message, CURLcode *outcome) {
  if (message->msg != CURLMSG_DONE) return NULL;
  *outcome = message->data.result;
  return message->easy_handle;
}
