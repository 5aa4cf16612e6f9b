// SPDX-License-Identifier: MIT
import Euripus

/// A page on all that is recorded, at `/recordings/about`.
final class AboutPage: ViewModel {
  let count: Computed<Int>

  init(_ recordings: Recordings) { count = Computed { recordings.library.count } }

  static let surface = Surface<AboutPage>("about", .value("count", \.count).about("How many items there are in all."))
}
