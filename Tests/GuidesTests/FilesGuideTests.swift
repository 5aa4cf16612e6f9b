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
}
