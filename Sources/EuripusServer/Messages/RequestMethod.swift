// SPDX-License-Identifier: MIT

/// The methods that any resource of this server knows, in the order in which `Allow` names them (RFC 9110 §9).
package enum RequestMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
  case options = "OPTIONS"
}
