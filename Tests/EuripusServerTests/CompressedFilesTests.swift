// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Locking
import Testing

@testable import EuripusServer

/// A folder with a file of 2,000 bytes, `page.html`, and what else a test writes.
private struct Shelf {
  let folder: PublicFolder

  init() throws { folder = try PublicFolder(["page.html": String(repeating: "a", count: 2_000)]) }

  func opened(_ name: String = "page.html") throws -> OpenedFile {
    try #require(try OpenedFile("\(folder.path)/\(name)", accepting: { _ in true }))
  }
}

extension CompressedFiles {
  /// Makes the form of a file, and waits until that is done.
  fileprivate func makeNow(_ file: OpenedFile) throws {
    let isDone = DispatchSemaphore(value: 0)
    let isTaken = make(of: file, then: { isDone.signal() })
    try #require(isTaken)
    isDone.wait()
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The gzip form of a file` {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test func `is not there before it is made, and is the same from then on`() throws {
    let files = CompressedFiles()
    #expect(try files.form(of: shelf.opened()) == nil)
    try files.makeNow(shelf.opened())
    guard case .gzip(let bytes)? = try files.form(of: shelf.opened()) else {
      Issue.record("the file has no form")
      return
    }
    #expect(bytes.starts(with: [0x1F, 0x8B]) && bytes.count < 100)
  }

  @Test func `is made once for the bytes of a file, by whichever path it is asked for`() throws {
    let made = Locked(0)
    let files = CompressedFiles { bytes in
      made.withLock { $0 += 1 }
      return Array(bytes.prefix(1))
    }
    try FileManager.default.createSymbolicLink(
      atPath: shelf.folder.path + "/link.html", withDestinationPath: "page.html")
    for name in ["page.html", "page.html", "link.html"] { try files.makeNow(shelf.opened(name)) }
    #expect(made.withLock { $0 } == 1)
    #expect(try files.form(of: shelf.opened("link.html")) == .gzip([0x61]))
  }

  @Test func `is another one where the file has changed`() throws {
    let files = CompressedFiles { Array($0.prefix(1)) }
    try files.makeNow(shelf.opened())
    try shelf.folder.write("page.html", String(repeating: "b", count: 2_001))
    #expect(try files.form(of: shelf.opened()) == nil)
    try files.makeNow(shelf.opened())
    #expect(try files.form(of: shelf.opened()) == .gzip([0x62]))
  }

  @Test func `is not kept of a file that changes while it is made, nor of one that has become shorter`() throws {
    let before = try shelf.opened()
    try shelf.folder.write("page.html", String(repeating: "b", count: 3_000))
    let files = CompressedFiles()
    try files.makeNow(before)
    #expect(files.form(of: before) == nil)
    let long = try shelf.opened()
    let handle = try #require(FileHandle(forWritingAtPath: long.path))
    try handle.truncate(atOffset: 10)
    try handle.close()
    try files.makeNow(long)
    #expect(files.form(of: long) == nil)
  }

  @Test func `is the file itself where gzip makes it no smaller, which is found out once`() throws {
    let made = Locked(0)
    let files = CompressedFiles { _ in
      made.withLock { $0 += 1 }
      return nil
    }
    for _ in 0..<2 { try files.makeNow(shelf.opened()) }
    #expect(try files.form(of: shelf.opened()) == .notSmaller)
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `is not waited for where too many files wait`() throws {
    let (isHeld, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let files = CompressedFiles(most: 1) { _ in
      isHeld.wait()
      return nil
    }
    let isTaken = files.make(of: try shelf.opened(), then: { isDone.signal() })
    let isOther = files.make(of: try shelf.opened(), then: { Issue.record("it was one too many") })
    #expect(isTaken && !isOther)
    isHeld.signal()
    isDone.wait()
  }

  @Test(arguments: [
    ("a.html", 1_025, true), ("a.html", 1_024, false), ("a.css", 2_000, true), ("a.js", 2_000, true),
    ("a.svg", 2_000, true), ("a.json", 2_000, true), ("a.wasm", 2_000, true), ("a.png", 2_000, false),
    ("a.woff2", 2_000, false), ("a.mp4", 2_000, false), ("a.pdf", 2_000, false), ("a.gz", 2_000, false),
    ("a.unknown", 2_000, false), ("a.txt", 4 << 20, true), ("a.txt", 4 << 20 + 1, false),
  ])
  func `may be of texts that are neither small nor very large`(name: String, count: Int, may: Bool) throws {
    try shelf.folder.write(name, String(repeating: "a", count: count))
    #expect(try CompressedFiles.mayHold(shelf.opened(name)) == may)
  }
}

@Suite struct `The forms that are kept` {
  private let stamps: [OpenedFile.Stamp]
  /// The folder of the files, which differ in their stamps.
  private let folder: PublicFolder

  init() throws {
    let folder = try PublicFolder(["0": "", "1": "", "2": "", "3": ""])
    self.folder = folder
    stamps = try (0..<4).map { number in
      try #require(try OpenedFile("\(folder.path)/\(number)", accepting: { _ in true })).stamp
    }
  }

  private func form(_ count: Int) -> KeptForms.Form { .gzip([UInt8](repeating: 1, count: count)) }

  @Test func `take no more than their room, and those go first that were used least recently`() {
    let each = form(1_000).cost
    var kept = KeptForms(room: 3 * each)
    for stamp in stamps[..<3] { kept.keep(form(1_000), of: stamp) }
    #expect(kept.cost == 3 * each)
    #expect(kept.form(of: stamps[0]) == form(1_000))
    kept.keep(form(1_000), of: stamps[3])
    #expect(kept.cost == 3 * each)
    #expect(kept.form(of: stamps[1]) == nil)
    for index in [0, 2, 3] { #expect(kept.form(of: stamps[index]) == form(1_000)) }
  }

  @Test func `are counted once where one takes the place of another`() {
    var kept = KeptForms(room: 10_000)
    kept.keep(form(1_000), of: stamps[0])
    kept.keep(form(2_000), of: stamps[0])
    #expect(kept.cost == form(2_000).cost && kept.form(of: stamps[0]) == form(2_000))
  }

  @Test func `are none where one alone has no room`() {
    var kept = KeptForms(room: 1_000)
    kept.keep(.notSmaller, of: stamps[0])
    kept.keep(form(1_000), of: stamps[1])
    #expect(kept.cost == 0)
    for stamp in stamps { #expect(kept.form(of: stamp) == nil) }
  }
}
