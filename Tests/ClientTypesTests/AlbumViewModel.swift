// SPDX-License-Identifier: MIT
import EuripusApp

/// A view model that takes files, and offers the list of their names.
final class AlbumViewModel: ViewModel {
  let photos: Uploads
  @Observed var list: FileOffer?
  private let context: SessionContext

  init(_ context: SessionContext) {
    self.context = context
    photos = Uploads(context, most: 3, each: .megabytes(20), types: .images)
  }

  func write() throws {
    list = try context.offer(Array(photos.ready.map(\.name).joined(separator: "\n").utf8), named: "Names.txt")
  }

  static let surface = Surface<AlbumViewModel>(
    "album", .uploads("photos", \.photos), .value("list", \.$list), .action("write", AlbumViewModel.write))
}
