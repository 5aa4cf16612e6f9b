// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Foundation
import Testing

final class Scrapbook: ViewModel {
  let photos: Uploads
  @Observed var names: [String] = []
  @Observed var list: FileOffer?
  private let (context, directory): (SessionContext, String)

  init(_ context: SessionContext, directory: String) {
    (self.context, self.directory) = (context, directory)
    photos = Uploads(context, most: 3, each: .megabytes(20), types: .images)
  }

  func save() throws {
    for photo in photos.ready {
      try photo.move(to: "\(directory)/\(context.session)-\(photo.key)")
      names.append(photo.name)
    }
  }

  func export() throws {
    if let list { try context.withdraw(list) }
    list = try context.offer(Array(names.joined(separator: "\n").utf8), named: "Our photos.txt")
  }

  static let surface = Surface<Scrapbook>(
    "scrapbook", .uploads("photos", \.photos), .value("names", \.$names), .value("list", \.$list),
    .action("save", Scrapbook.save), .action("export", Scrapbook.export))
}

struct ScrapbookApp: EuripusApp {
  var models: Models {
    hosting(at: "/scrapbook") { Scrapbook($0, directory: "/var/lib/scrapbook") }
  }
}

/// The library by which an app signs requests to its bucket; here it remembers them.
struct Signer: Sendable {
  func url(_ method: String, _ name: String, _ fields: [String: String], length: Int) -> String {
    "https://films.example/\(name)?method=\(method)&length=\(length)"
  }

  func length(_ name: String) async throws -> Int? { 3 }
  func copy(_ name: String, to other: String) async throws {}
}

struct Bucket: UploadStore {
  let signer: Signer

  func address(for file: DeclaredUpload) -> UploadAddress {
    let fields = ["Content-Type": file.type, "If-None-Match": "*"]
    return UploadAddress(url: signer.url("PUT", file.storedName, fields, length: file.size), fields: fields)
  }

  func size(of storedName: String) async throws -> Int? { try await signer.length(storedName) }
}

final class Films: ViewModel {
  let arriving: Uploads
  @Observed var kept: [String] = []
  private let bucket: Bucket

  init(_ context: SessionContext, _ bucket: Bucket) {
    self.bucket = bucket
    arriving = Uploads(context, most: 5, each: .gigabytes(5), types: .only("video/mp4"), at: bucket)
  }

  func keep(_ run: CommandRun) async throws {
    for film in arriving.ready {
      guard let name = film.storedName else { continue }
      try await bucket.signer.copy(name, to: "kept/\(name)")
      // Somebody may have removed it meanwhile.
      if arriving[film.key]?.storedName == name { kept.append(try film.take()) }
    }
  }

  static let surface = Surface<Films>(
    "films", .uploads("arriving", \.arriving), .value("kept", \.$kept), .command("keep", Films.keep))
}

/// The Swift of the guide "Files", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on files` {
  @Test func `keeps the pictures that were sent`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let directory = folder.path
    let scrapbook = try ModelDriver { Scrapbook($0, directory: directory) }
    try scrapbook.upload("photos", Array("GIF89a".utf8), named: "boat.gif", type: "image/gif")
    try scrapbook.perform("save")
    #expect(scrapbook["names"] == ["boat.gif"])
    try scrapbook.perform("export")
    #expect(try scrapbook.download("list") == Array("boat.gif".utf8))
    let kept = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(try kept.map { try Data(contentsOf: folder.appending(path: $0)) } == [Data("GIF89a".utf8)])
  }

  @Test func `takes films that went to a bucket`() async throws {
    let bucket = Bucket(signer: Signer())
    let films = try ModelDriver { Films($0, bucket) }
    try films.upload("arriving", [1, 2, 3], named: "sea.mp4", type: "video/mp4")
    try films.perform("keep")
    await films.wait { $0["arriving/files/order"] == [] }
    #expect(films["kept/0"] != nil && films["arriving/files/order"] == [])
  }

  @Test func `hosts one view model`() { #expect(ScrapbookApp().models.count == 1) }
}
