// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@testable import Todo

@Suite struct `The list over HTTP` {
  @Test func `is added to by one client, and the frame of it says what changed`() throws {
    let client = try TestServer([.hosting { TodoViewModel() }]).client()
    let url = try client.open("todo")
    try client.request("PUT", "\(url)/state/draft", #""Buy milk""#)
    let added = try client.request("POST", "\(url)/actions/add")
    #expect(added.status == 200)
    #expect(added.json?["state"]?["left"] == 1)
  }
}
