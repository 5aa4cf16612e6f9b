// SPDX-License-Identifier: MIT
import Euripus

/// A view model that takes one long file, and moves it to a directory of its own.
final class Shelf: ViewModel {
  let papers: Uploads
  @Observed var kept = 0
  private let directory: String

  init(_ context: SessionContext, _ directory: String) {
    papers = Uploads(context, most: 3, each: .gigabytes(2))
    self.directory = directory
  }

  func keep() throws {
    for paper in papers.ready {
      try paper.move(to: "\(directory)/\(paper.key)")
      kept += 1
    }
  }

  static let surface = Surface<Shelf>(
    "shelf", .uploads("papers", \.papers), .value("kept", \.$kept), .action("keep", Shelf.keep))
}
