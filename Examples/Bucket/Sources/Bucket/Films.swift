// SPDX-License-Identifier: MIT
import EuripusApp

/// The films of one person: those that arrive in the bucket, and those that are kept there.
final class Films: ViewModel {
  let arriving: Uploads
  let kept = KeyedList<Film>()
  /// The names of films that the bucket had removed before they were kept.
  @Observed var lost: [String] = []
  private let bucket: S3Bucket
  private let context: SessionContext

  init(_ bucket: S3Bucket, _ context: SessionContext) {
    (self.bucket, self.context) = (bucket, context)
    // S3 takes 5 GB in one PUT.
    arriving = Uploads(context, most: 5, each: .gigabytes(5), types: .only("video/mp4", "video/webm"), at: bucket)
  }

  /// Copies what has arrived to the place where it stays. A kill in the middle leaves a film among those that arrive, and its
  /// copy is made once more.
  func keep(_ run: CommandRun) async throws {
    let films = arriving.ready
    for (count, film) in films.enumerated() {
      guard let name = film.storedName else { continue }
      let isThere = try await bucket.keep(name)
      run.report(Double(count + 1) / Double(films.count))
      // The person may have removed it meanwhile, or sent another one in its place.
      guard arriving[film.key]?.storedName == name else {
        await bucket.drop(name)
        continue
      }
      if isThere { kept.append(Film(film.name, film.size ?? 0), key: name) } else { lost.append(film.name) }
      _ = try film.take()
    }
  }

  /// Has the browser fetch a film from the bucket.
  func fetch(_ key: String) throws {
    guard let film = kept[key] else { return }
    try context.go(toOtherSite: bucket.link(to: key, named: film.name))
  }

  static let surface = Surface<Films>(
    "films", about: "Films in a bucket.", .uploads("arriving", \.arriving),
    .list("kept", \.kept) { _, _ in Film("", 0) }, .value("lost", \.$lost), .command("keep", Films.keep),
    .action("fetch", Films.fetch))
}

/// A film in the bucket. Its key in the list is its name there.
final class Film: ViewModel {
  @Observed var name: String
  @Observed var size: Int

  init(_ name: String, _ size: Int) { (self.name, self.size) = (name, size) }

  static let surface = Surface<Film>("film", .value("name", \.$name), .value("size", \.$size))
}
