// SPDX-License-Identifier: MIT

/// A statement of SQL, as the program's source has it.
///
/// Its values are never part of the text: a literal with `\(…)` in it does not compile. Each `?` stands for one of the
/// values that are handed over beside it.
public struct SQLStatement: ExpressibleByStringLiteral, Sendable {
  package let text: String

  public init(stringLiteral text: StaticString) { self.text = text.description }
}
