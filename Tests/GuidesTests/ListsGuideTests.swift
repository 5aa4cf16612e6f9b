// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Playlist: ViewModel {
  @Observed var title = ""
  let tracks = KeyedList<Track>()
  private var lastKey = 0
  lazy var liked = Computed(self) { $0.tracks.rows.count { $0.isLiked } }

  func add() {
    lastKey += 1
    tracks.append(Track(title), key: "\(lastKey)")
    title = ""
  }

  func remove(_ key: String) { tracks.remove(key) }

  func moveUp(_ key: String) {
    if let place = tracks.index(of: key), place > 0 { tracks.move(key, to: place - 1) }
  }

  static let surface = Surface<Playlist>(
    "playlist",
    .twoWay("title", \.$title),
    .list("tracks", \.tracks) { _, _ in Track("") },
    .stored("lastKey", \.lastKey),
    .value("liked", \.liked),
    .action("add", Playlist.add),
    .action("remove", Playlist.remove),
    .action("moveUp", Playlist.moveUp))
}

final class Track: ViewModel {
  @Observed var title: String
  @Observed var isLiked = false

  init(_ title: String) { self.title = title }

  static let surface = Surface<Track>("track", .value("title", \.$title), .twoWay("isLiked", \.$isLiked))
}

final class Album: ViewModel {
  let entries = KeyedList<any ViewModel>()

  init() {
    entries.append(Photo(), key: "1")
    entries.append(Remark(), key: "2")
  }

  static let surface = Surface<Album>(
    "album",
    .list("entries", \.entries, of: Photo.self, Remark.self) { _, _, kind in
      if kind == "photo" { Photo() } else { Remark() }
    })
}

final class Photo: ViewModel {
  @Observed var file = "sea.jpg"
  static let surface = Surface<Photo>("photo", .value("file", \.$file))
}

final class Remark: ViewModel {
  @Observed var text = "At the sea"
  static let surface = Surface<Remark>("remark", .twoWay("text", \.$text))
}

final class Archive: ViewModel {
  let letters = KeyedList<Letter>(window: 3)

  init() { letters.update((1...50_000).map(String.init)) { Letter("Letter \($0)") } }

  static let surface = Surface<Archive>("archive", .list("letters", \.letters, hasWindow: true).orderNotStored())
}

final class Letter: ViewModel {
  @Observed var subject: String

  init(_ subject: String) { self.subject = subject }

  static let surface = Surface<Letter>("letter", .value("subject", \.$subject).notStored())
}

/// The Swift of the guide "Lists and windows", compiled and run.
@Suite struct `The guide on lists` {
  @Test func `shows a list with rows that come, move and go by their keys`() throws {
    let playlist = try ModelDriver { Playlist() }
    for title in ["Volare", "Azzurro"] {
      try playlist.set("title", .string(title))
      try playlist.perform("add")
    }
    try playlist.set("tracks/items/2/isLiked", true)
    try playlist.perform("moveUp", "2")
    #expect(try playlist["tracks"] == Guide("Lists").json()[0])
    #expect(playlist["liked"] == 1)
    try playlist.perform("remove", "1")
    #expect(playlist["tracks/order"] == ["2"])
    let error = #expect(throws: SurfaceError.self) { try playlist.set("tracks/items/1/isLiked", true) }
    #expect(error.map { "\($0)" } == "no row 'tracks/items/1/isLiked': it never was, or it was removed")
  }

  @Test func `shows rows of two kinds`() throws {
    let album = try ModelDriver { Album() }
    #expect(album["entries/items/1"] == ["kind": "photo", "file": "sea.jpg"])
    #expect(album["entries/items/2"] == ["kind": "remark", "text": "At the sea"])
  }

  @Test func `shows a window on a long list`() throws {
    let archive = try ModelDriver { Archive() }
    try archive.set("letters/window", ["first": 40_000, "count": 2])
    #expect(try archive["letters"] == Guide("Lists").json()[1])
  }

  @Test func `shows lists that come back after a restart`() async throws {
    try await expectRestorable { Playlist() }
    try await expectRestorable { Album() }
  }
}
