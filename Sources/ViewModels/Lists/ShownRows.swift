// SPDX-License-Identifier: MIT
public import JSONPatching

/// The rows of a list as a room shows it, for a type of ``SessionContext/room(_:_:as:file:line:)``.
///
/// ```swift
/// struct Cards: Codable, JSONRepresentable, Equatable {
///   struct Card: Codable, Equatable { var text: String }
///   var cards: ShownRows<Card>
/// }
/// ```
public struct ShownRows<Row: Codable>: Codable, JSONRepresentable {
  private let order: [String]
  private let items: [String: Row]

  /// The rows with their keys, in their order. O(rows).
  public var rows: [(key: String, row: Row)] { order.compactMap { key in items[key].map { (key, $0) } } }

  /// The row with a key; `nil` if there is none.
  public subscript(key: String) -> Row? { items[key] }
}

extension ShownRows: Equatable where Row: Equatable {}
extension ShownRows: Sendable where Row: Sendable {}
