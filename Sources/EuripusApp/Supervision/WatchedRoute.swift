// SPDX-License-Identifier: MIT
import Euripus

extension AppRoute {
  /// The same route under supervision. The supervisor is told of its requests. Once several servers died of it,
  /// it is not answered for a while.
  ///
  /// The note has the route alone, and nothing of a request.
  package func watched(_ notes: WorkNotes) -> AppRoute {
    let work = Work.answering(name)
    return decorated({ try notes.check(work) }, { part in notes.during(work, part) })
  }
}

extension ServerConfiguration {
  /// Has the supervisor told when the app finds out users. Once several servers died of it, the app is not asked
  /// for a while.
  ///
  /// The note has nothing of a request.
  package mutating func watchAuthenticate(_ notes: WorkNotes) {
    guard let function = authenticate else { return }
    authenticate = { head in
      try notes.check(.authenticating)
      return try await function(head)
    }
    authenticateSurroundings = { part in notes.during(.authenticating, part) }
  }
}
