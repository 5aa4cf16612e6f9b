// SPDX-License-Identifier: MIT
import Euripus

extension AppRoute {
  /// The same route, of whose requests the supervisor is told, and which is not answered for a while once several servers died
  /// of it.
  ///
  /// The note is of the route alone, and of nothing that a request has.
  package func watched(_ notes: WorkNotes) -> AppRoute {
    let work = Work.answering(name)
    return decorated({ try notes.check(work, rest: WorkNotes.longRest) }, { part in notes.during(work, part) })
  }
}
