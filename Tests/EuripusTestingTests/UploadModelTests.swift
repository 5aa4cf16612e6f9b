// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import Testing

/// A view model that takes one text, and two pictures in a part of it.
private final class Desk: ViewModel {
  let text: Uploads
  let gallery: Gallery
  @Observed var content = ""
  let directory: String

  init(_ context: SessionContext, _ directory: String = "") {
    text = Uploads(context, each: .kilobytes(1), types: .only("text/plain"))
    gallery = Gallery(context)
    self.directory = directory
  }

  func read() throws { for each in text.ready { content = String(decoding: try each.read(), as: UTF8.self) } }
  func take() throws { for each in text.ready { content = try each.take() } }
  func drop() { for each in text.all { each.discard() } }
  func moveTwice() throws { for each in text.ready { try each.move(to: "\(directory)/\(each.key)") } }

  static let surface = Surface<Desk>(
    "desk", .uploads("text", \.text), .nested("gallery", \.gallery), .value("content", \.$content),
    .action("read", Desk.read), .action("take", Desk.take), .action("drop", Desk.drop), .action("move", Desk.moveTwice))
}

private final class Gallery: ViewModel {
  let pictures: Uploads
  init(_ context: SessionContext) { pictures = Uploads(context, most: 2, each: .megabytes(1), types: .images) }
  static let surface = Surface<Gallery>("gallery", .uploads("pictures", \.pictures))
}

/// A view model whose files go to a store that has none.
private final class Locker: ViewModel {
  struct Nowhere: UploadStore {
    func address(for file: DeclaredUpload) async throws -> UploadAddress { UploadAddress(url: "/") }
    func size(of storedName: String) async throws -> Int? { nil }
  }

  let boxes: Uploads
  @Observed var names: [String] = []

  init(_ context: SessionContext) { boxes = Uploads(context, each: .kilobytes(1), at: Nowhere()) }
  func take() throws { for box in boxes.ready { names.append(try box.take()) } }

  static let surface = Surface<Locker>(
    "locker", .uploads("boxes", \.boxes), .value("names", \.$names), .action("take", Locker.take))
}

@Suite struct `A view model that takes files` {
  @Test func `reads them and drops them`() throws {
    let desk = try ModelDriver { Desk($0) }
    try desk.upload("text", Array("hello".utf8), named: "a.txt", type: "text/plain")
    #expect(desk["text/files/items/a.txt/ready"] == true)
    try desk.perform("read")
    #expect(desk["content"] == "hello")
    #expect(throws: UploadRefusal.tooMany(limit: 1)) {
      try desk.upload("text", [1], named: "b.txt", type: "text/plain")
    }
    try desk.perform("drop")
    #expect(desk["text/files/order"] == [])
    try desk.upload("text", [0x62], named: "b.txt", type: "text/plain")
    // A client may drop one too.
    try desk.perform("text/files/items/b.txt/discard")
    #expect(desk["text/files/order"] == [])
  }

  @Test func `takes pictures and other kinds`() {
    let types = UploadTypes.images.and("Application/PDF")
    #expect(types.has("application/pdf") && types.has("image/png") && !types.has("text/plain"))
    #expect(UploadTypes.all.and("text/plain") == .all)
  }

  @Test func `refuses those that are too large or of another type`() throws {
    let desk = try ModelDriver { Desk($0) }
    #expect(throws: UploadRefusal.tooLarge(name: "a.txt", limit: .kilobytes(1))) {
      try desk.upload("text", Array(repeating: 0x61, count: 1_001), named: "a.txt", type: "text/plain")
    }
    #expect(throws: UploadRefusal.wrongType(name: "a.bin", expected: "text")) {
      try desk.upload("text", [0x61], named: "a.bin", type: "application/octet-stream")
    }
    #expect(throws: UploadRefusal.self) {
      try desk.upload("text", Array("GIF89a".utf8), named: "a.txt", type: "text/plain")
    }
    #expect(desk["text/files/items/a.txt/error"] != nil)
  }

  @Test func `has those of its parts at their paths`() throws {
    let desk = try ModelDriver { Desk($0) }
    try desk.upload("gallery/pictures", Array("GIF89a".utf8), named: "a.gif", type: "image/gif")
    #expect(desk["gallery/pictures/files/items/a.gif/size"] == 6)
    #expect(desk["gallery/pictures/types"] == "image/png,image/jpeg,image/gif,image/webp,image/avif")
    #expect(throws: (any Error).self) { try desk.upload("content", [1], named: "a", type: "image/gif") }
  }

  @Test func `leaves a file where it is that cannot be moved`() throws {
    let desk = try ModelDriver { Desk($0, "/nowhere") }
    try desk.upload("text", [0x61], named: "a.txt", type: "text/plain")
    #expect(throws: (any Error).self) { try desk.perform("move") }
    #expect(desk["text/files/items/a.txt/ready"] == true)
  }

  @Test func `takes the names of files that go to a store of the app's`() throws {
    let locker = try ModelDriver { Locker($0) }
    try locker.upload("boxes", [1, 2, 3], named: "a.bin", type: "application/octet-stream")
    #expect(locker["boxes/files/items/a.bin/received"] == 3)
    try locker.perform("take")
    #expect(locker["boxes/files/order"] == [])
    #expect("\(locker["names"] ?? .null)".count == 36)
    let desk = try ModelDriver { Desk($0) }
    try desk.upload("text", [0x61], named: "a.txt", type: "text/plain")
    #expect(throws: (any Error).self) { try desk.perform("take") }
  }

  @Test func `can be restored`() async throws {
    try await expectRestorable { Desk($0) }
    try await expectRestorable { Locker($0) }
  }
}

@Suite struct `A file size` {
  @Test(arguments: [
    (FileSize.megabytes(20), "20 MB"), (FileSize(bytes: 1_550), "1.5 kB"), (FileSize(bytes: 999), "999 bytes"),
    (FileSize.gigabytes(1), "1 GB"),
  ]) func `is written as people write it`(size: FileSize, text: String) { #expect("\(size)" == text) }
}
