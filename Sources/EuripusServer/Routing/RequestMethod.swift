// SPDX-License-Identifier: MIT

/// The methods that some resource of this server knows (RFC 9110 §9), in the order in which `Allow` names them.
package enum RequestMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case options = "OPTIONS"
}
