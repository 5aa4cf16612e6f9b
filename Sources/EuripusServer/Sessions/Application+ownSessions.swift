// SPDX-License-Identifier: MIT
import HTTPListening
import JSONPatching
import Sessions
import ViewModels

/// The sessions that a client and its user may know of (PROTOCOL §2).
extension Application {
  func listOwn(_ call: Call) throws -> HTTPAnswer {
    let caller = call.caller
    let conditions = ResourceConditions(call.request)
    let listing = try host.listing(
      of: caller.key?.credential, proving: caller.user.user?.id, hasFetched: caller.hasFetched)
    return awaiting {
      let sessions = try await listing()
      var writer = JSONWriter(capacity: 64 + 128 * sessions.count)
      writer.json(["sessions": .array(sessions.map(\.json))])
      return HTTPResponse.json(200, writer.bytes).meeting(conditions)
    }
  }
}

extension OwnSession {
  fileprivate var json: JSON {
    [
      "url": .string("/sessions/\(model)/\(id)"), "model": .string(model), "age": .integer(age),
      "reachable": .bool(isReachable),
    ]
  }
}
