// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The client of a session that follows a room at another server, as that server is told of it.
struct RoomVisitor {
  /// Its user; `nil` while nobody has signed in.
  let user: User?

  init(user: User?) { self.user = user }

  /// The form in which servers tell each other of it: JSON, percent-encoded.
  var text: String { PercentCoding.encoded(String(decoding: JSON.text(of: user?.json ?? .null), as: UTF8.self)) }

  /// Reads that form; `nil` for anything else.
  init?(_ text: String) {
    guard let text = PercentCoding.decoded(text[...].utf8, plusIsSpace: false),
      let json = try? JSONReader.read(Array(text.utf8))
    else { return nil }
    user = User(stored: json)
    if user == nil, json != .null { return nil }
  }
}
