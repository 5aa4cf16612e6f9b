// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The limits of the recordings demo` {
  let directory = TemporaryDirectory()

  @Test func `an impossible change is told until another one is possible`() async throws {
    let probe = try ModelDriver { Probe(directory.open()) }
    try probe.perform("rename", "9")
    await probe.settled()
    #expect(probe["problem"] == "The item you renamed to 'x' has been deleted.")
    #expect(directory.files == [])
    try probe.perform("add", "root")
    await probe.settled()
    #expect(probe["problem"] == .null)
    #expect(directory.files == ["store.json"])
    try probe.perform("add", "9")
    await probe.settled()
    #expect(probe["problem"] == "The folder for 'x' has been deleted.")
  }

  @Test func `a change that cannot even wait is not dropped without a word`() async throws {
    let probe = try ModelDriver { Probe(directory.open()) }
    // One change is being saved, 16 wait, and the last is one too many.
    try probe.perform("addMany", 18)
    let busy: JSON = "Too many changes are waiting to be saved. Try the last one again."
    #expect(probe["problem"] == busy)
    await probe.settled()
    #expect(probe["problem"] == busy)
    #expect(probe["revision"] == 17)
    try probe.perform("add", "root")
    await probe.settled()
    #expect(probe["problem"] == .null)
    #expect(probe["revision"] == 18)
  }

  @Test func `a change is seen by its author too if its command is cancelled meanwhile`() async throws {
    let probe = try ModelDriver { Probe(directory.open()) }
    try probe.perform("addAndCancel")
    await probe.wait { $0["revision"] == 1 }
  }

  @Test func `nobody can fill the store: it has so many items, with names so long`() async throws {
    var library = Library()
    for _ in 0..<Library.mostItems { _ = try library.add("x", length: nil, to: Library.root) }
    #expect(throws: RecordingsError.self) { try library.add("x", length: nil, to: Library.root) }
    _ = try library.remove("1")
    let longest = String(repeating: "é", count: 127) + "x"
    #expect(throws: RecordingsError.self) { try library.rename("2", to: longest + "x") }
    try library.rename("2", to: longest)
    #expect(throws: RecordingsError.self) { try library.add(longest + "x", length: nil, to: Library.root) }
    #expect(try library.add(longest, length: 1, to: Library.root).id == "\(Library.mostItems + 1)")

    let demo = try ModelDriver.recordings(directory.open())
    try await demo.create(.string(longest + "x"), length: 1)
    #expect(demo["problem"] == "Name too long: 256 bytes; the limit is 255. Shorten it.")
    #expect(directory.files == [], "nothing is written for what is refused")
  }

  @Test func `refuses a draft that is far too long to be a name, on every page`() async throws {
    let demo = try ModelDriver.recordings(directory.open())
    try await demo.create("Talks")
    try demo.go("1")
    let longest = String(repeating: "x", count: ShortText.longest)
    for draft in ["root/newName", "1/newName", "1/renaming/name"] {
      let path = ModelDriver.pages + draft
      try demo.set(path, .string(longest))
      #expect(throws: SurfaceError.self) { try demo.set(path, .string(longest + "x")) }
      #expect(demo[path] == .string(longest))
    }
  }

  @Test func `a full library fits into the state of a session, with all pages open and all fields full`() async throws {
    // A character that JSON writes as two.
    let name = String(repeating: "\"", count: Library.longestName)
    var library = Library()
    var path: [String] = []
    for number in 0..<Library.mostItems {
      let parent = path.last ?? Library.root
      let isFolder = number < Coordinator.maximumDepth
      let item = try library.add(name, length: isFolder ? nil : 359_999, to: parent)
      if isFolder { path.append(item.id) }
    }
    try directory.write(String(decoding: library.json, as: UTF8.self))
    let demo = try ModelDriver.recordings(directory.open())
    try demo.perform("navigation/go", .array(path.map { .string($0) }))
    #expect(demo["navigation/path"] == .array(path.map { .string($0) }))
    let draft = JSON.string(String(repeating: "\"", count: ShortText.longest))
    for page in ["root"] + path { try demo.set(ModelDriver.pages + page + "/newName", draft) }
    for page in path { try demo.set(ModelDriver.pages + page + "/renaming/name", draft) }
    var writer = JSONWriter()
    writer.json(demo.state)
    #expect(writer.count < SessionConfiguration().maxStateBytes, "\(writer.count) bytes")
  }
}
