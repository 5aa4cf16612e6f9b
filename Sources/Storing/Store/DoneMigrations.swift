// SPDX-License-Identifier: MIT
package import ViewModels

/// The steps of an app's tables that a store has done, as it knows them again.
package struct DoneMigrations: Sendable {
  /// The work that is left for the steps of an app.
  package struct Left: Sendable {
    /// The number of the last step that was done.
    package let version: Int
    /// The steps to do.
    package let steps: [Migration]
    /// The digests to note, with their steps' numbers: those of the steps to do, and of the steps that were done before
    /// stores noted them.
    package let notes: [(number: Int, digest: String)]

    package var isEmpty: Bool { steps.isEmpty && notes.isEmpty }
  }

  private let version: Int
  private let digests: [Int: String]
  private let dialect: Migration.Dialect

  /// - Parameters:
  ///   - version: the number of the last step that was done.
  ///   - digests: the digests of the steps by their numbers. A step that was done before stores noted them has none.
  package init(version: Int, digests: [Int: String], _ dialect: Migration.Dialect) {
    (self.version, self.digests, self.dialect) = (version, digests, dialect)
  }

  /// - Parameters:
  ///   - steps: all steps that the app knows.
  ///   - place: the store, in words.
  /// - Returns: the work that is left. It fails if the store is at a later step than these, or has done another one of a
  ///   number.
  package func left(of steps: [Migration], in place: String) -> Result<Left, StoreError> {
    if version > steps.count {
      return .failure(
        StoreError(
          .newer,
          """
          the app's tables in \(place) are at migration \(version), of a later version of the app, which knows \(steps.count). \
          They were left as they are. Start that version, or name another store
          """))
    }
    let known = steps.map { (number: $0.number, digest: $0.digest(for: dialect)) }
    if let changed = known.first(where: { (digests[$0.number] ?? $0.digest) != $0.digest }) {
      return .failure(
        StoreError(
          .unavailable,
          """
          migration \(changed.number) of the app's tables is not the one that was done in \(place), and what was done once is not \
          done again. The tables were left as they are. Put it back as it was and add the change as migration \
          \(steps.count + 1), or begin with an empty store
          """))
    }
    return .success(
      Left(
        version: version, steps: Array(steps.dropFirst(version)), notes: known.filter { digests[$0.number] == nil }))
  }
}

extension Migration {
  /// The SHA-256 of its statements in hexadecimal digits. White space counts once, also within texts of SQL, so that a
  /// literal may be laid out anew.
  fileprivate func digest(for dialect: Dialect) -> String {
    var hash = SHA256()
    for statement in statements(for: dialect) {
      hash.update(counted: statement.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    return hash.finish().hex
  }
}
