// SPDX-License-Identifier: MIT
import ViewModels

/// A statement of an app, as PostgreSQL takes it.
///
/// Each `?` becomes `$1`, `$2` and so on, but for those in texts, quoted names and comments
/// (https://www.postgresql.org/docs/15/sql-syntax-lexical.html). The first word tells what the statement does. That keeps
/// authors from mistakes, as PostgreSQL has no hook for it; it keeps nobody out.
struct AppStatement {
  enum Purpose {
    /// An action reads and writes rows.
    case rows
    /// A migration makes tables.
    case tables

    fileprivate func allows(_ word: String) -> Bool {
      switch self {
      case .rows: Self.ofRows.contains(word)
      case .tables: !Self.ofConnection.contains(word)
      }
    }

    private static let ofRows: Set = ["select", "insert", "update", "delete", "with", "values", "table", "merge"]
    /// Statements about transactions, and about the connection, which is the server's.
    private static let ofConnection: Set = [
      "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release", "prepare", "execute",
      "deallocate",
      "declare", "fetch", "close", "copy", "set", "reset", "discard", "listen", "unlisten", "notify", "load",
    ]
  }

  private typealias Text = Substring.UnicodeScalarView

  private(set) var sql = ""
  /// The number of its values.
  private(set) var valueCount = 0
  private var firstWord = ""

  /// - Throws: ``DatabaseFailure/Kind/statement`` for a statement that is not the app's to run.
  init(_ text: String, for purpose: Purpose) throws(DatabaseFailure) {
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      if first == "?" {
        rest.removeFirst()
        valueCount += 1
        sql += "$\(valueCount)"
        continue
      }
      let length = Self.tokenLength(rest, first)
      try take(Substring(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    guard purpose.allows(firstWord) else {
      throw DatabaseFailure(
        .statement, "not authorized: a statement that begins with '\(firstWord)' is the server's to run: \(text)")
    }
  }

  private mutating func take(_ token: Substring) throws(DatabaseFailure) {
    sql += token
    let name = token.drop { $0 == "\"" }.lowercased()
    guard let first = name.unicodeScalars.first, first.beginsName else { return }
    if firstWord.isEmpty { firstWord = name }
    if name.hasPrefix("euripus_") {
      throw DatabaseFailure(.statement, "not authorized: '\(token)' is the server's own")
    }
  }

  /// The number of scalars of the first token, which is more than 0.
  private static func tokenLength(_ text: Text, _ first: Unicode.Scalar) -> Int {
    let next = text.dropFirst().first
    switch first {
    case _ where first.beginsName:
      // A text with escapes: E'…\'…'.
      if first == "e" || first == "E", next == "'" {
        return 1 + quotedLength(text.dropFirst(), "'", escape: "\\")
      }
      return text.prefix { $0.isOfName || $0 == "$" }.count
    case "'", "\"": return quotedLength(text, first)
    case "-" where next == "-": return text.prefix { $0 != "\n" && $0 != "\r" }.count
    case "/" where next == "*": return commentLength(text)
    case "$":
      let tag = text.dropFirst().prefix { $0.isOfName }
      let isTag = text.dropFirst(1 + tag.count).first == "$" && tag.first?.beginsName != false
      return isTag ? dollarLength(text, text.prefix(tag.count + 2)) : 1
    default: return 1
    }
  }

  /// The length of a text in quotes. Two quotes in it stand for one, so it ends only to begin anew.
  private static func quotedLength(
    _ text: Text, _ quote: Unicode.Scalar, escape: Unicode.Scalar? = nil
  ) -> Int {
    var (length, isEscaped) = (1, false)
    for scalar in text.dropFirst() {
      length += 1
      if isEscaped {
        isEscaped = false
      } else if scalar == escape {
        isEscaped = true
      } else if scalar == quote {
        break
      }
    }
    return length
  }

  /// The length of a comment, which may have others in it.
  private static func commentLength(_ text: Text) -> Int {
    var (rest, depth) = (text, 0)
    repeat {
      if rest.starts(with: "/*".unicodeScalars) {
        (depth, rest) = (depth + 1, rest.dropFirst(2))
      } else if rest.starts(with: "*/".unicodeScalars) {
        (depth, rest) = (depth - 1, rest.dropFirst(2))
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
    return text.count - rest.count
  }

  /// The length of a text between two tags, such as `$body$`.
  private static func dollarLength(_ text: Text, _ tag: Text) -> Int {
    var rest = text.dropFirst(tag.count)
    while !rest.isEmpty, !rest.starts(with: tag) { rest = rest.dropFirst() }
    return text.count - rest.dropFirst(tag.count).count
  }
}

extension Unicode.Scalar {
  fileprivate var beginsName: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value > 127
  }
  fileprivate var isOfName: Bool { beginsName || ("0"..."9").contains(self) }
}
