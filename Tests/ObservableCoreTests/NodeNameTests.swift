// SPDX-License-Identifier: MIT
import Testing

@testable import ObservableCore

@Suite struct `The name of a node` {
  @Test func `is one for each text, so that a surface made again and again takes no memory`() {
    let text = "a name of this test"
    #expect(NodeName(text).text == NodeName(text).text)
    #expect(NodeName(text).text != NodeName(text + "!").text)
  }

  @Test func `stands in an error with the place where the node was made`() throws {
    let count = Observable(0, name: "count")
    count.addObserver(Observer { count.value = $0 + 1 })
    let error = try #require(throws: ObservableError.self) { try count.set(1) }
    #expect("\(error)".contains("count (ObservableCoreTests/NodeNameTests.swift:"))
  }
}
