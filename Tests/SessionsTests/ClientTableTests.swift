// SPDX-License-Identifier: MIT
import Storing
import Testing

@testable import Sessions

@Suite struct `The table of clients` {
  @Test func `knows what a request has opened last when a session is forgotten that it opened before`() throws {
    var table = ClientTable(isStored: false)
    let owner = Credential(hashing: "anna")
    let opening = KeyedRequest(
      key: try #require(IdempotencyKey("hall")), digest: Digest(method: "POST", path: ["hall"], body: [], key: nil))
    // A room that is ended and begins anew is opened by the same request.
    table.entered("first", of: owner, opening, isNew: true)
    table.closed("first", of: owner)
    table.entered("second", of: owner, opening, isNew: true)
    table.forgotClosed("first", of: owner, opening)
    #expect(table.opened(by: opening.key, of: owner)?.id == "second")
    table.expired("second", of: owner, opening)
    #expect(table.opened(by: opening.key, of: owner) == nil)
  }
}
