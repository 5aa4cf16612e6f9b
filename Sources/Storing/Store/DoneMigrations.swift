// SPDX-License-Identifier: MIT
package import ViewModels

/// The steps of an app's tables that a store has done, as it knows them again.
package struct DoneMigrations: Sendable {
  /// The number of the last step that was done.
  package let version: Int
  /// The digests of the steps by their numbers. One that was done before a store noted them has none.
  private let digests: [Int: String]
  private let dialect: Migration.Dialect

  package init(version: Int, digests: [Int: String], _ dialect: Migration.Dialect) {
    (self.version, self.digests, self.dialect) = (version, digests, dialect)
  }

  /// Whether there is nothing to do for these steps.
  package func areAll(_ steps: [Migration]) -> Bool { version == steps.count && digests.count == steps.count }

  /// The digests that are still to be noted, with their steps' numbers.
  package func unnoted(_ steps: [Migration]) -> [(number: Int, digest: String)] {
    steps.filter { digests[$0.number] == nil }.map { ($0.number, $0.digest(for: dialect)) }
  }

  /// Whether ``check(_:in:)`` finds no fault.
  package func allow(_ steps: [Migration]) -> Bool { version <= steps.count && changed(steps) == nil }

  private func changed(_ steps: [Migration]) -> Migration? {
    steps.first { step in
      let digest = step.digest(for: dialect)
      return (digests[step.number] ?? digest) != digest
    }
  }

  /// - Throws: ``StoreError``, if the store is at a later step than these, or has done another one of a number.
  package func check(_ steps: [Migration], in place: String) throws(StoreError) {
    if version > steps.count {
      throw StoreError(
        .newer,
        """
        the app's tables in \(place) are at migration \(version), of a later version of the app, which knows \(steps.count). They \
        were left as they are. Start that version, or name another store
        """)
    }
    guard let changed = changed(steps) else { return }
    throw StoreError(
      .unavailable,
      """
      migration \(changed.number) of the app's tables is not the one that was done in \(place), and what was done once is not \
      done again. The tables were left as they are. Put it back as it was and add the change as migration \
      \(steps.count + 1), or begin with an empty store
      """)
  }
}

extension Migration {
  /// The SHA-256 of its statements in hexadecimal digits. White space counts once, so that a literal may be laid out anew.
  fileprivate func digest(for dialect: Dialect) -> String {
    var hash = SHA256()
    for statement in statements(for: dialect) {
      hash.update(counted: statement.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    return hash.finish().hex
  }
}
