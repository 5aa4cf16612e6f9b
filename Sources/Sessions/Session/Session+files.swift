// SPDX-License-Identifier: MIT
import Locking
import Storing
package import ViewModels

/// Files that clients send and fetch, and what the view model does with them.
extension Session {
  func watchFiles() {
    model.context?.didHandleFiles = { [weak self] in
      self?.assumeIsolated { session in
        session.turnWork.hasHandledFiles = true
        session.publishLater()
      }
    }
  }

  /// Undoes what undone transactions have done with files, and finishes the rest once it is stored.
  func settleFiles() {
    turnWork.hasHandledFiles = false
    guard let context = model.context else { return }
    var taken: (passed: [FileDeed], undone: [FileDeed]) = ([], [])
    model.enter { taken = context.takeDeeds() }
    for deed in taken.undone.reversed() { deed.undo() }
    let passed = taken.passed
    if passed.isEmpty { return }
    custody.isUnsaved = true
    tell { failure in
      switch failure {
      case nil: for deed in passed { deed.commit() }
      // Nothing was applied, for certain. This comes before the answer, after which the client may ask once more.
      case .conflict, .storeFull: for deed in passed.reversed() { deed.undo() }
      // Without the store's word the session may come back as it was before or after, and needs its files in both places.
      default: break
      }
    }
  }

  /// Has a request look at the files of an `Uploads`, or change them, as a change like any other.
  ///
  /// - Parameters:
  ///   - path: the path of the `Uploads` in the state.
  ///   - requester: the client; `nil` for the server itself.
  ///   - opens: whether it makes room for a file.
  /// - Throws: as ``make(_:isList:since:ifMatch:values:as:)``.
  package func visitUploads<Found: Sendable>(
    at path: [String], as requester: Requester?, opens: Bool = false, _ visit: @escaping @Sendable (Uploads) -> Found
  ) throws -> Found? {
    let found = Locked<Found?>(nil)
    let asked = UploadVisit(opens: opens) { uploads in found.withLock { $0 = visit(uploads) } }
    _ = try make([Change(.uploads(asked), path)], as: requester, isOfServer: requester == nil)
    return found.withLock(\.self)
  }

  /// The file that the session offers under a key; `nil` for none.
  package func offered(_ key: String) -> OfferedFile? { model.context?.offered[key] }

  /// Withdraws a file that is given once, as it is being given.
  package func give(_ file: OfferedFile) {
    guard file.isOnce else { return }
    // Nobody observes what is offered.
    model.enter { try? model.context?.withdraw(file) }
    publish()
  }

  /// Drops those of the files that the session does not offer, once the store has taken its record: another server may have
  /// the session by now.
  func dropUnoffered(_ files: [SpooledFile]) {
    if isClosed { return }
    let keys = Set((model.context?.offered.all ?? []).map(\.key))
    let left = files.filter { !keys.contains($0.offerKey ?? "") }
    if left.isEmpty { return }
    custody.isUnsaved = true
    tell { [spool = services.spool] failure in
      if failure == nil { for file in left { spool.remove(file) } }
    }
  }

  /// Has the view model know of a file that was dropped, as nobody has taken it in time.
  package func expire(_ file: SpooledFile) {
    model.enter { model.context?.expire(file) }
    custody.isUnsaved = true
    publish()
  }
}
