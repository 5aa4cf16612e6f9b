// SPDX-License-Identifier: MIT
import Euripus

extension AppRoute {
  /// The same route under supervision. The supervisor is told of its requests. Once several servers died of it,
  /// it is not answered for a while.
  ///
  /// The note has the route alone, and nothing of a request.
  package func watched(_ notes: WorkNotes) -> AppRoute {
    let work = Work.answering(name)
    return decorated({ try notes.check(work, rest: WorkNotes.longRest) }, { part in notes.during(work, part) })
  }
}
