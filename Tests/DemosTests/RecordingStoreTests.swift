// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Testing

@testable import Demos

@Suite(.timeLimit(.minutes(30))) struct `The store of the recordings` {
  let directory = TemporaryDirectory()
  let lines = Locked<[String]>([])

  func open() -> RecordingStore {
    directory.open { [lines] line in lines.withLock { $0.append(line) } }
  }
  var log: [String] { lines.withLock { $0 } }

  @Test func `S3-R8 survives a restart, byte for byte`() async throws {
    do {
      let demo = try ModelDriver.recordings(open())
      try await demo.create("Vorträge \"1\"")
      try demo.go("1")
      try await demo.create("周一", length: 65.5, on: "1")
      try await demo.create("deleted")
      try await demo.delete("3")
    }
    let text = """
      {"format":1,"next":4,"items":[{"id":"1","parent":"root","name":"Vorträge \\"1\\"","length":null},\
      {"id":"2","parent":"1","name":"周一","length":65.5}]}
      """
    #expect(directory.store == text)
    let demo = try ModelDriver.recordings(open())
    try demo.go("1", "2")
    #expect(demo["navigation/path"] == ["1", "2"])
    #expect(demo.texts("1") == ["🔊  周一"])
    #expect(demo["navigation/pages/items/2/length"] == "1:06")
    // The number of a deleted item is not used again.
    try await demo.create("next")
    #expect(demo["navigation/pages/items/root/items/order"] == ["1", "4"])
    #expect(log == [])
    #expect(directory.files == ["2.recording", "store.json"], "nothing unfinished is left behind")
  }

  static let corrupt = [
    "", "{", "[]", "null", #"{"format":2,"next":1,"items":[]}"#, #"{"format":1,"items":[]}"#,
    #"{"format":1,"next":1,"items":[]} "# + "x", #"{"format":1,"next":1}"#,
    #"{"format":1,"next":2,"items":[{"id":"1","name":"a","length":null}]}"#,
    #"{"format":1,"next":2,"items":[{"id":"1","parent":"1","name":"a","length":null}]}"#,
    #"{"format":1,"next":2,"items":[{"id":"1","parent":"2","name":"a","length":null}]}"#,
    #"{"format":1,"next":1,"items":[{"id":"1","parent":"root","name":"a","length":null}]}"#,
    #"{"format":1,"next":-4,"items":[{"id":"-5","parent":"root","name":"five","length":5}]}"#,
    #"{"format":1,"next":0,"items":[]}"#, #"{"format":1,"next":9223372036854775807,"items":[]}"#,
    #"{"format":1,"next":2,"items":[{"id":"01","parent":"root","name":"a","length":null}]}"#,
    #"{"format":1,"next":2,"items":[{"id":"1","parent":"root","name":"a","length":-1}]}"#,
    #"{"format":1,"next":3,"items":[{"id":"1","parent":"root","name":"a","length":1},{"id":"2","parent":"1","name":"b","length":1}]}"#,
    #"{"format":1,"next":3,"items":[{"id":"1","parent":"root","name":"a","length":1},{"id":"1","parent":"root","name":"b","length":1}]}"#,
  ]

  @Test(arguments: corrupt)
  func `S3-R8 a corrupt file is reported, is left as it is, and nothing is written`(text: String) async throws {
    try directory.write(text)
    let demo = try ModelDriver.recordings(open())
    let problem = demo["problem"]
    guard case .string(let said)? = problem else {
      Issue.record("no problem is shown")
      return
    }
    #expect(said.hasPrefix("store.json cannot be used: "))
    #expect(!said.contains(directory.path), "a client is not told where the file is")
    #expect(log == ["recordings in '\(directory.path)': \(said)"])
    #expect(demo["navigation/pages/items/root/title"] == "Recordings")
    try await demo.create("new")
    try await demo.create("new", length: 1)
    #expect(demo["problem"] == problem)
    #expect(demo.texts() == [])
    #expect(demo["navigation/pages/items/root/newName"] == "new", "what was typed is not lost")
    try demo.perform("navigation/pages/items/root/createFolder")
    try demo.set("navigation/pages/items/root/newName", "newer")
    await demo.settled()
    #expect(demo["navigation/pages/items/root/newName"] == "newer", "and what was typed on stays")
    #expect(directory.store == text)
    #expect(directory.files == ["store.json"])
  }

  @Test func `S3-R8 a file that cannot be read is reported, and is no empty one`() async throws {
    try FileManager.default.createDirectory(
      at: directory.url.appendingPathComponent("store.json"), withIntermediateDirectories: true)
    let demo = try ModelDriver.recordings(open())
    #expect(demo["problem"] == "Error while reading store.json: Is a directory")
    try await demo.create("new")
    #expect(demo.texts() == [])
    #expect(directory.files == ["store.json"])
  }

  @Test func `S3-R8 the text of another program is not written over, nor the file of its recording`() async throws {
    let demo = try ModelDriver.recordings(open())
    let other = try ModelDriver.recordings(open())
    try await demo.create("mine", length: 1)
    let file = directory.url.appendingPathComponent("1.recording")
    let mine = try Data(contentsOf: file)
    try await other.create("theirs", length: 2)
    #expect(try Data(contentsOf: file) == mine, "its own recording would have the same number")
    #expect(
      other["problem"]
        == "store.json was changed by another program. Changes are not saved until you restart the server.")
    #expect(other.texts() == [])
    #expect(log.count == 1)
    try await demo.create("mine too")
    #expect(demo["problem"] == .null)
    #expect(try ModelDriver.recordings(open()).texts() == ["🔊  mine", "📁  mine too"])
  }

  @Test func `a file that cannot be removed is logged, and its recording is deleted for everybody`() async throws {
    let store = open()
    let demo = try ModelDriver.recordings(store)
    try await demo.create("gone", length: 1)
    try await demo.create("tune", length: 2)
    let file = directory.url.appendingPathComponent("1.recording")
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    try await demo.delete("1")
    #expect(demo.texts() == ["🔊  tune"])
    #expect(demo["problem"] == .null)
    #expect(log == ["recordings in '\(directory.path)': Error while removing 1.recording: Is a directory"])
    try await demo.delete("2")
    #expect(directory.files == ["1.recording", "store.json"])
  }

  @Test func `a change that cannot be written has not happened, and is tried anew by the next one`() async throws {
    // A file stands in the place of the directory.
    let blocked = directory.url.appendingPathComponent("blocked")
    try directory.write("")
    try Data().write(to: blocked)
    let store = RecordingStore(directory: blocked.path + "/recordings") { [lines] line in
      lines.withLock { $0.append(line) }
    }
    let demo = try ModelDriver.recordings(store)
    #expect(demo["problem"] == "Error while looking at store.json: Not a directory")
    try await demo.create("a")
    #expect(demo.texts() == [])

    let later = TemporaryDirectory()
    let fine = try ModelDriver.recordings(later.open { [lines] line in lines.withLock { $0.append(line) } })
    try Data().write(to: later.url)
    try await fine.create("a")
    #expect(fine["problem"] == "Error while looking at store.json: Not a directory")
    #expect(fine.texts() == [])
    try FileManager.default.removeItem(at: later.url)
    try await fine.create(.string("a"))
    #expect(fine["problem"] == .null)
    #expect(fine.texts() == ["📁  a"])
  }

  @Test func `all items that four sessions create at once are there after a restart`() async throws {
    let store = open()
    try await withThrowingTaskGroup { group in
      for session in 0..<4 {
        group.addTask {
          let demo = try ModelDriver.recordings(store)
          for number in 0..<20 { try await demo.create(.string("\(session) \(number)")) }
          #expect(demo["problem"] == .null)
        }
      }
      try await group.waitForAll()
    }
    #expect(try ModelDriver.recordings(open()).texts().count == 80)
    #expect(log == [])
  }

  @Test(arguments: [
    (0, "0:00"), (0.6, "0:01"), (59.4, "0:59"), (60, "1:00"), (3_599, "59:59"), (3_600, "1:00:00"), (1e300, "99:59:59"),
  ])
  func `a length is shown as a clock does`(length: Double, text: String) { #expect(clockTime(length) == text) }
}
