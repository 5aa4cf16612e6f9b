// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@testable import Todo

@Suite struct `A to-do list` {
  @Test func `adds what was typed, and counts what is left`() throws {
    let todo = try ModelDriver { TodoViewModel() }
    try todo.set("draft", "Buy milk")
    try todo.perform("add")
    #expect(todo["draft"] == "")
    #expect(todo["items"] == ["order": ["1"], "items": ["1": ["text": "Buy milk", "done": false]]])
    try todo.set("items/items/1/done", true)
    #expect(todo["left"] == 0)
    try todo.perform("remove", "1")
    #expect(todo["items/order"] == [])
  }

  @Test func `adds nothing while nothing was typed`() throws {
    let todo = try ModelDriver { TodoViewModel() }
    #expect(throws: SurfaceError.self) { try todo.perform("add") }
  }

  @Test func `is the same after a restart`() async throws {
    try await expectRestorable { TodoViewModel() }
  }
}
