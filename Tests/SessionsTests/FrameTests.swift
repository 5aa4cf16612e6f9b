// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

@testable import Sessions

@Suite struct `A frame` {
  let host = SessionHost.still([.hosting { Note() }], configuration: .unhurried)
  let session: Session
  let first: Version

  init() throws {
    session = try host.open("note", as: nil).session
    first = try session.now { $0.version }
  }

  @Test func `carries the changes of one action, from the version before it`() throws {
    let message = try session.now { try $0.perform(["rename"], "x", since: nil, ifMatch: nil) }
    #expect(
      String(decoding: message.json, as: UTF8.self) == """
        {"from":"\(first)","to":"\(first.epoch).2","patch":[{"op":"replace","path":"/title","value":"x"}],"result":null}
        """)
  }

  @Test func `starts at since, own changes included`() throws {
    _ = try session.now { try $0.perform(["rename"], "x", since: nil, ifMatch: nil) }
    let message = try session.now { [first] in try $0.assign(["key"], "k", since: first, ifMatch: nil) }
    #expect(try message.value["from"] == .string("\(first)"))
    #expect(
      try message.value["patch"] == [
        ["op": "replace", "path": "/title", "value": "x"], ["op": "remove", "path": "/key"],
      ])
  }

  @Test func `is the state for no version, another epoch and a version from the future`() throws {
    let foreign = Version(epoch: "other", revision: 1)
    let future = Version(epoch: first.epoch, revision: 99)
    for since in [nil, foreign, future] {
      let message = try session.now { $0.frame(since: since) }
      #expect(try message.value["state"]?["title"] == "")
      #expect(try message.value["patch"] == nil)
      #expect(try message.value["from"] == (since.map { .string("\($0)") } ?? .null))
    }
  }
}
