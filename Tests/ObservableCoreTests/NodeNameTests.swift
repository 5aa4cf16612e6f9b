// SPDX-License-Identifier: MIT
import Testing

@testable import ObservableCore

@Suite struct `The name of a node that it gets after its making` {
  @Test func `is one for each text, so that a surface made again and again takes no memory`() {
    let text = "a name of this test"
    #expect(NodeName(text).text == NodeName(text).text)
    #expect(NodeName(text).text != NodeName(text + "!").text)
  }
}
