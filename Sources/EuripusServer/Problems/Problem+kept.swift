// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions

/// Problems that are remembered with a request's key (PROTOCOL §4).
extension Problem {
  /// The problem in the form that is remembered: its status, its body, and the version that it names.
  var kept: KeptAnswer { .other(form: UInt16(kind.status), body: body, version: version) }

  /// The response to a remembered problem.
  static func response(_ status: Int, _ body: [UInt8], _ version: Version?) -> HTTPResponse {
    var response = HTTPResponse.problem(status, body, [])
    response.entityTag = version?.description
    return response
  }
}
