// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The recordings demo` {
  let directory = TemporaryDirectory()

  @Test func `S3-14 begins at the root's page, which is given the root`() throws {
    let demo = try ModelDriver.recordings(directory.open())
    #expect(demo["problem"] == .null)
    #expect(demo["navigation/path"] == [])
    #expect(demo["navigation/pages/order"] == ["root"])
    #expect(demo["navigation/pages/items/root/kind"] == "folder")
    #expect(directory.files == [], "nothing is written before something is recorded")
  }

  @Test func `S3-R2 the title is that of the root, of the folder, and empty once it is deleted`() async throws {
    let store = directory.open()
    let demo = try ModelDriver.recordings(store)
    #expect(demo["navigation/pages/items/root/title"] == "Recordings")
    try await demo.create("Talks")
    try demo.perform("navigation/pages/items/root/open", "1")
    #expect(demo["navigation/pages/items/1/title"] == "Talks")
    // The page of a deleted folder is popped. A page that a probe keeps has no title then.
    let probe = try ModelDriver { Probe(store) }
    #expect(probe["page/title"] == "Talks")
    try await demo.delete("1")
    await probe.wait { $0["page"]?["title"] == "" }
    #expect(probe["page/items/order"] == [])
  }

  @Test func `S3-R3 contents are sorted by name, with a sign of their kind`() async throws {
    let demo = try ModelDriver.recordings(directory.open())
    try await demo.create("b")
    try await demo.create("c", length: 65)
    try await demo.create("a", length: 3_665)
    #expect(demo.texts() == ["🔊  a", "📁  b", "🔊  c"])
    #expect(demo["navigation/pages/items/root/items/items/3/length"] == "1:01:05")
    #expect(demo["navigation/pages/items/root/items/items/1/length"] == .null)
    try demo.perform("navigation/pages/items/root/open", "2")
    #expect(demo["navigation/pages/items/2/title"] == "c")
    #expect(demo["navigation/pages/items/2/length"] == "1:05")
    try await demo.rename("2", to: "0")
    #expect(demo.texts() == ["🔊  0", "🔊  a", "📁  b"])
    #expect(demo["navigation/pages/items/2/title"] == "0")
  }

  @Test func `S3-R5 without a name nothing is created`() async throws {
    let demo = try ModelDriver.recordings(directory.open())
    for name in [.null, ""] as [JSON] {
      try await demo.create(name)
      try await demo.create(name, length: 1)
    }
    #expect(demo.texts() == [])
    #expect(directory.files == [])
    try await demo.create("x")
    #expect(demo["navigation/pages/items/root/newName"] == .null, "the field is empty for the next one")
    try demo.go("1")
    try await demo.rename("1", to: "")
    #expect(demo.texts() == ["📁  x"])
  }

  @Test func `S3-R5 a name that is typed while the one before is saved stays`() async throws {
    let demo = try ModelDriver.recordings(directory.open())
    let page = ModelDriver.pages + "root"
    for name in ["first", "second", "third"] as [JSON] {
      try demo.set(page + "/newName", name)
      try demo.perform(page + "/createFolder")
      #expect(demo[page + "/newName"] == .null, "it is taken at once")
    }
    try demo.set(page + "/newName", "fourth")
    await demo.settled()
    #expect(demo[page + "/newName"] == "fourth")
    #expect(demo.texts() == ["📁  first", "📁  second", "📁  third"])
    #expect(demo[page + "/items/items/2/name"] == "second")
  }

  @Test func `S3-R1 a page is told its folder at once, at each change in it, and once that it is gone`() async throws {
    let store = directory.open()
    let demo = try ModelDriver.recordings(store)
    try await demo.create("Talks")
    try await demo.create("Other")
    try demo.go("1")
    try await demo.create("a", length: 1, on: "1")
    let probe = try ModelDriver { Probe(store) }
    var told = ["Talks: a"]
    #expect(probe["told"] == .array([.string("Talks: a")]))
    /// Waits for each change, as a slow session gets only the newest.
    func expect(_ next: String?) async {
      if let next { told.append(next) }
      let wanted = JSON.array(told.map { .string($0) })
      await probe.wait { $0["told"] == wanted && $0["revision"] == .integer(Int64(store.library.revision)) }
    }
    try await demo.rename("1", to: "Songs")
    await expect("Songs: a")
    try await demo.create("0", on: "1")
    await expect("Songs: 0, a")
    try demo.go("1", "3")
    try await demo.rename("3", to: "+")
    await expect("Songs: +, 0")
    try demo.go("1", "4")
    try await demo.create("not in it, but below", on: "4")
    await expect(nil)
    try await demo.create("elsewhere")
    await expect(nil)
    try await demo.delete("3", on: "1")
    await expect("Songs: 0")
    try probe.perform("show", "2")
    await expect("Other: ")
    try probe.perform("show", "1")
    await expect("Songs: 0")
    try await demo.delete("1")
    await expect("nil")
    try await demo.create("new")
    await expect(nil)
  }

  @Test func `S3-R4 a change is told once and sent once, also that of a folder with all that is in it`() async throws {
    let store = directory.open()
    let demo = try ModelDriver.recordings(store)
    try await demo.create("Talks")
    try demo.go("1")
    try await demo.create("b", length: 1, on: "1")
    try await demo.create("a", length: 2, on: "1")
    #expect(demo.texts("1") == ["🔊  a", "🔊  b"])
    /// The number of revisions that an action takes. Text that is typed before it takes a revision of its own.
    func revisions(_ path: String, _ value: JSON? = nil) async throws -> UInt64 {
      let before = demo.revision
      _ = demo.takeFrame()
      try demo.perform("navigation/pages/items/" + path, value)
      await demo.settled()
      #expect(demo.takeFrame()["patch"] != [])
      #expect(demo.takeFrame()["patch"] == [])
      return demo.revision - before
    }
    try demo.set("navigation/pages/items/1/renaming/name", "Songs")
    #expect(try await revisions("1/renaming/rename") == 1)
    try demo.set("navigation/pages/items/1/newName", "0")
    // One revision takes the name from its field at once, and the next brings the folder.
    #expect(try await revisions("1/createFolder") == 2)
    #expect(demo.texts("1") == ["📁  0", "🔊  a", "🔊  b"])
    #expect(try await revisions("1/open", "3") == 1)
    try demo.set("navigation/pages/items/3/renaming/name", "z")
    #expect(try await revisions("3/renaming/rename") == 1)
    #expect(demo.texts("1") == ["📁  0", "🔊  b", "🔊  z"])
    #expect(try await revisions("1/items/items/4/delete") == 1)

    // The original emits three times when a folder with two children is deleted: for each child, and for the folder.
    let probe = try ModelDriver { Probe(store) }
    #expect(probe["told"] == ["Songs: b, z"])
    #expect(try await revisions("root/items/items/1/delete") == 1)
    #expect(demo["navigation/path"] == [])
    #expect(demo.texts() == [])
    await probe.wait { $0["page"]?["title"] == "" }
    #expect(probe["told"] == ["Songs: b, z", "nil"])
  }

  @Test func `S3-R6 the contents of a folder are deleted before it, and the files of recordings too`() async throws {
    let store = directory.open()
    let demo = try ModelDriver.recordings(store)
    try await demo.create("outer")
    try await demo.create("kept", length: 4)
    try demo.go("1")
    try await demo.create("inner", on: "1")
    try await demo.create("one", length: 1, on: "1")
    try demo.go("1", "3")
    try await demo.create("two", length: 2, on: "3")
    #expect(directory.files == ["2.recording", "4.recording", "5.recording", "store.json"])
    var library = store.library
    #expect(try library.remove("1").map(\.id) == ["5", "3", "4", "1"])
    try await demo.delete("1")
    #expect(directory.files == ["2.recording", "store.json"])
    #expect(demo.texts() == ["🔊  kept"])
  }

  @Test func `S3-R9 a path leads as far as the items are in each other`() async throws {
    let demo = try ModelDriver.recordings(directory.open())
    try await demo.create("outer")
    try demo.go("1")
    try await demo.create("tune", length: 9, on: "1")
    try await demo.create("other")
    try demo.go("1", "2")
    #expect(demo["navigation/pages/order"] == ["root", "1", "2"])
    #expect(demo["navigation/pages/items/2/kind"] == "player")
    // A recording has no pages below it, and the only way to an item goes through its folders.
    for (path, led) in [(["3", "2"], ["3"]), (["2"], []), (["1", "2", "2"], ["1", "2"]), (["nothing"], [])] {
      try demo.perform("navigation/go", path)
      #expect(demo["navigation/path"] == .array(led.map { .string($0) }))
    }
  }

  @Test func `S3-16 two sessions on a store see each other's changes, and none after its end`() async throws {
    let store = directory.open()
    let one = try ModelDriver.recordings(store)
    do {
      let two = try ModelDriver.recordings(store)
      #expect(store.followerCount == 2)
      try await one.create("from one")
      await two.wait { _ in two.texts() == ["📁  from one"] }
      try await two.create("from two")
      await one.wait { _ in one.texts() == ["📁  from one", "📁  from two"] }
      try one.go("1")
      try two.go("1")
      try await two.rename("1", to: "renamed")
      await one.wait { _ in one["navigation/pages/items/1/renaming/name"] == "renamed" }
      let before = one.state
      try await two.delete("1")
      await one.wait { $0["navigation"]?["path"] == [] }
      #expect(one.state != before)
    }
    #expect(store.followerCount == 1)
  }

  @Test
  func `S3-15 a page shows finished texts, and only an action of its view model changes the model`() async throws {
    let store = directory.open()
    let demo = try ModelDriver.recordings(store)
    try await demo.create("tune", length: 65)
    try demo.go("1")
    #expect(
      demo["navigation/pages/items/1"] == [
        "kind": "player", "title": "tune", "length": "1:05", "renaming": ["name": "tune", "enabled": true],
      ])
    for path in ["navigation/pages/items/1/title", "navigation/pages/items/root/items/items/1/text", "navigation/path"]
    {
      #expect(throws: SurfaceError.self) { try demo.set(path, "x") }
    }
    let library = store.library
    try demo.set("navigation/pages/items/1/renaming/name", "draft")
    try demo.set("navigation/pages/items/root/newName", "draft")
    #expect(store.library == library)
    #expect(demo["navigation/pages/items/1/title"] == "tune")
    // The root has no name that could be changed.
    #expect(throws: SurfaceError.self) { try demo.set("navigation/pages/items/root/renaming/name", "x") }
    #expect(throws: SurfaceError.self) { try demo.perform("navigation/pages/items/root/renaming/rename") }
  }
}
