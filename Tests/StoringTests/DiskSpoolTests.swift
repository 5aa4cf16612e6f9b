// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import Testing
import ViewModels

@testable import Storing

/// A spool in a directory of the test's own.
private final class Place {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  var spool: String { directory.appending(path: "spool").path }

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: directory) }

  func path(_ name: String) -> String { directory.appending(path: name).path }
}

/// The id of a session, and the name of a file, as a server makes them.
private func session(_ number: Int) -> String { String(repeating: "A", count: 21) + "\(number)" }
private func name(_ number: Int) -> String { String(repeating: "0", count: 31) + "\(number)" }

private let file = SpooledFile(session: session(1), name: name(1))
private let sender = SpoolRoom.Sender(client: Credential(hashing: "anna"), network: .version4(1))

extension DiskSpool {
  /// Begins to write a file for which room is taken.
  fileprivate func begin(_ file: SpooledFile) throws -> SpoolWriter {
    #expect(reserve(10, for: file, of: sender) == nil)
    return try writer(of: file)
  }
}

@Suite struct `The spool of files` {
  @Test func `has what was written after the process that wrote it`() throws {
    let place = try Place()
    do {
      let spool = DiskSpool(place: place.spool, limit: 1_000_000)
      #expect(spool.reserve(200_000, for: file, of: sender) == nil)
      try spool.begin(file).write(Array("abc".utf8))
    }
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    spool.open()
    #expect(spool.size(of: file) == 3)
    #expect(spool.bytes == 65_536)
    let writer = try spool.begin(file)
    #expect(writer.size == 3)
    try writer.write(Array("def".utf8))
    #expect(try spool.read(file) == Array("abcdef".utf8))
  }

  @Test func `keeps what sessions offer until they are gone, and drops uploads by their age`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    let offers = [session(1), session(2)].map { SpooledFile(session: $0, offer: name(9)) }
    for offer in offers { try spool.keep(Array("abc".utf8), as: offer) }
    try spool.begin(file).write([1])
    #expect(spool.expire(after: .seconds(-10)) == [file])
    #expect(try spool.read(offers[0]) == Array("abc".utf8))
    #expect(spool.offers(olderThan: .seconds(-10)) == [session(1): [offers[0]], session(2): [offers[1]]])
    #expect(spool.offers(olderThan: .seconds(10)) == [:])
    let directory = "\(place.spool)/\(session(1))"
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: directory)
    #expect(spool.isLost(session(1), for: .seconds(10)))
    spool.renew(session(1))
    #expect(!spool.isLost(session(1), for: .seconds(10)))
  }

  @Test func `keeps its files while its directory cannot be looked into`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    let offer = SpooledFile(session: session(1), offer: name(9))
    try spool.keep([1], as: offer)
    try spool.begin(file).write([1])
    // As where no descriptor is free: the names of the files are not found.
    try FileManager.default.moveItem(atPath: "\(place.spool)/\(session(1))", toPath: place.path("kept"))
    try FileManager.default.createSymbolicLink(atPath: "\(place.spool)/\(session(1))", withDestinationPath: session(1))
    #expect(spool.expire(after: .seconds(-10)) == [])
    try FileManager.default.removeItem(atPath: "\(place.spool)/\(session(1))")
    try FileManager.default.moveItem(atPath: place.path("kept"), toPath: "\(place.spool)/\(session(1))")
    #expect(try spool.read(offer) == [1])
    #expect(spool.bytes == 65_536 * 2)
  }

  @Test func `drops what another server has written for a session that ends`() throws {
    let place = try Place()
    let (one, other) = (
      DiskSpool(place: place.spool, limit: 1_000_000), DiskSpool(place: place.spool, limit: 1_000_000)
    )
    let offer = SpooledFile(session: session(1), offer: name(9))
    try one.keep([1], as: offer)
    other.removeAll(ofSession: session(1))
    #expect(one.size(of: offer) == nil)
  }

  @Test func `keeps nothing for which there is no room`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 100_000)
    let offer = SpooledFile(session: session(1), offer: name(9))
    #expect(throws: FileFault.self) { try spool.keep(Array(repeating: 0, count: 100_001), as: offer) }
    #expect(spool.size(of: offer) == nil && spool.bytes == 0)
  }

  @Test func `has what another server has written into the same directory meanwhile`() throws {
    let place = try Place()
    let (one, other) = (
      DiskSpool(place: place.spool, limit: 1_000_000), DiskSpool(place: place.spool, limit: 1_000_000)
    )
    one.open()
    other.open()
    try one.begin(file).write([1, 2])
    #expect(other.size(of: file) == 2)
    #expect(try other.read(file) == [1, 2])
  }

  @Test func `moves a file to a path, once however often it is asked`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    try spool.begin(file).write([1, 2, 3])
    #expect(try spool.link(file, to: place.path("kept")))
    #expect(try !spool.link(file, to: place.path("kept")))
    spool.remove(file)
    #expect(try Data(contentsOf: URL(filePath: place.path("kept"))) == Data([1, 2, 3]))
    #expect(spool.size(of: file) == nil)
    #expect(throws: FileFault.self) { try spool.link(file, to: place.path("other")) }
  }

  @Test func `does not take the place of another file`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    try spool.begin(file).write([1, 2, 3])
    try Data([1, 2, 4]).write(to: URL(filePath: place.path("kept")))
    #expect(throws: FileFault.self) { try spool.link(file, to: place.path("kept")) }
    #expect(try Data(contentsOf: URL(filePath: place.path("kept"))) == Data([1, 2, 4]))
    #expect(throws: FileFault.self) { try spool.link(file, to: place.path("none/kept")) }
  }

  /// `/dev/shm` is another file system than that of temporary files.
  @Test func `copies a file to another file system`() throws {
    let place = try Place()
    let target = "/dev/shm/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: target) }
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    try spool.begin(file).write(Array(repeating: 7, count: 200_000))
    #expect(try spool.link(file, to: target))
    #expect(try !spool.link(file, to: target))
    #expect(try Data(contentsOf: URL(filePath: target)) == Data(repeating: 7, count: 200_000))
    #expect(try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").allSatisfy { !$0.hasSuffix(".part") })
  }

  @Test func `keeps no file open that cannot be copied to another file system`() throws {
    let place = try Place()
    let target = "/dev/shm/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: "\(target).part") }
    // The copy is to be made there first.
    try FileManager.default.createDirectory(atPath: "\(target).part", withIntermediateDirectories: false)
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    try spool.begin(file).write([7])
    func areOpen() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.contains(place.spool)
          == true
      }
    }
    let before = try areOpen()
    for _ in 0..<5 { #expect(throws: FileFault.self) { try spool.link(file, to: target) } }
    #expect(try areOpen() == before)
  }

  @Test func `is written by the later of two`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    let first = try spool.begin(file)
    try first.write([1])
    let second = try spool.writer(of: file)
    #expect(throws: SpoolWriter.Failure.ended) { try first.write([2]) }
    try second.write([3])
    spool.remove(file)
    #expect(throws: SpoolWriter.Failure.ended) { try second.write([4]) }
  }

  @Test func `drops what nobody has taken in time, and what a session leaves`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    let other = SpooledFile(session: session(2), name: name(2))
    for each in [file, other] {
      #expect(spool.reserve(1, for: each, of: sender) == nil)
      try spool.begin(each).write([1])
    }
    let old = Date(timeIntervalSinceNow: -7_200)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: "\(place.spool)/\(session(1))/\(name(1))")
    #expect(spool.expire(after: .seconds(3_600)) == [file])
    #expect(spool.size(of: file) == nil)
    spool.removeAll(ofSession: session(2))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.spool) == [])
    #expect(spool.bytes == 0)
  }

  @Test func `does not write a file that was removed since room was taken for it`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    #expect(spool.reserve(1, for: file, of: sender) == nil)
    spool.remove(file)
    #expect(throws: SpoolWriter.Failure.ended) { try spool.writer(of: file) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.spool) == [])
  }

  @Test func `drops room for files of which no byte has come, or that another server has removed`() throws {
    let place = try Place()
    let spool = DiskSpool(place: place.spool, limit: 1_000_000)
    #expect(spool.reserve(1, for: file, of: sender) == nil)
    #expect(spool.expire(after: .seconds(3_600)) == [])
    #expect(spool.expire(after: .zero) == [file])
    #expect(spool.bytes == 0)
  }

  @Test func `says that a disk is full`() throws {
    let writer = SpoolWriter(descriptor: Glibc.open("/dev/full", O_RDWR))
    #expect(throws: SpoolWriter.Failure.full) { try writer.write([1]) }
  }

  @Test func `makes a temporary directory where it has no place, and removes it`() throws {
    let spool = DiskSpool(place: nil, limit: 1_000_000)
    #expect(spool.path(of: file) == nil)
    try spool.begin(file).write([1])
    let path = try #require(spool.path(of: file))
    #expect(FileManager.default.fileExists(atPath: path))
    spool.close()
    let directory = URL(filePath: path).deletingLastPathComponent().deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: directory.path))
  }
}

@Suite struct `The room for files` {
  private static let limit = 1_048_576 * 4

  @Test func `is a quarter for one client, and a half for one network`() {
    var room = SpoolRoom(limit: Self.limit)
    func reserve(_ name: String, _ client: String, _ network: UInt32) -> String? {
      room.reserve(
        Self.limit / 4, for: SpooledFile(session: "s", name: name),
        of: .init(client: Credential(hashing: client), network: .version4(network)))
    }
    #expect(reserve("1", "anna", 1) == nil)
    #expect(reserve("2", "anna", 2) == "the files that one client sends take 1048576 bytes at most")
    #expect(reserve("3", "ben", 1) == nil)
    #expect(reserve("4", "cleo", 1) == "the files from one network take 2097152 bytes at most")
    #expect(reserve("5", "cleo", 2) == nil)
    #expect(reserve("6", "dora", 2) == nil)
    #expect(reserve("7", "emil", 3) == "all files of this server's sessions take 4194304 bytes at most")
    room.release(SpooledFile(session: "s", name: "1"))
    #expect(reserve("7", "emil", 3) == nil)
    // The same file again takes its own room, and one in place of another the room of that.
    #expect(reserve("7", "emil", 3) == nil)
    let next = room.reserve(
      Self.limit / 4, for: SpooledFile(session: "s", name: "8"),
      of: .init(client: Credential(hashing: "emil"), network: .version4(3)),
      replacing: SpooledFile(session: "s", name: "7"))
    #expect(next == nil)
    room.release(SpooledFile(session: "s", name: "8"))
    // One that gets no room keeps what it has.
    #expect(
      room.reserve(
        Self.limit, for: SpooledFile(session: "s", name: "7"),
        of: .init(client: Credential(hashing: "emil"), network: .version4(3))) != nil)
    #expect(room.has(SpooledFile(session: "s", name: "7")))
    room.shrink(SpooledFile(session: "s", name: "7"), to: 100_000)
    #expect(room.bytes == Self.limit / 4 * 3 + 100_000)
  }

  @Test func `is a half for all files that sessions offer`() {
    var room = SpoolRoom(limit: Self.limit)
    func offer(_ key: String) -> String? {
      room.reserve(Self.limit / 4, for: SpooledFile(session: key, offer: key), of: nil)
    }
    #expect((offer("1"), offer("2")) == (nil, nil))
    #expect(offer("3") == "the files that sessions offer take 2097152 bytes at most")
    #expect(offer("2") == nil)
    #expect(room.reserve(Self.limit / 4, for: file, of: sender) == nil)
    room.release(SpooledFile(session: "1", offer: "1"))
    #expect(offer("3") == nil)
  }

  @Test func `is 64 KiB for the shortest file`() {
    var room = SpoolRoom(limit: 262_144)
    #expect(room.reserve(0, for: file, of: sender) == nil)
    #expect(room.bytes == 65_536)
    #expect(room.reserve(0, for: SpooledFile(session: "s1", name: "f2"), of: sender) != nil)
  }
}
