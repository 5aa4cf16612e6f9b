// SPDX-License-Identifier: MIT

/// Names of types in TypeScript and in Swift, made of the names of schemas.
enum TypeName {
  /// The name of a schema, which no digit may begin: `_2faState`.
  static func of(_ name: String) -> String { name.first?.isNumber == true ? "_" + name : name }

  /// The names that no type of an app gets beside a view model: those that the text has of its own, or uses.
  static func taken(besides word: String) -> [String] {
    ["Action", "Model", "Problem", "Value"].map { word + $0 } + ["Remote" + of(word)] + typeScript + swift
  }

  private static let typeScript = ["Array", "Record", "RemoteCommand", "RemoteRows", "RemoteWindow"]

  private static let swift = [
    "Any", "Bool", "Boxed", "Codable", "CodingKey", "CodingKeys", "Date", "Decoder", "Double", "Encoder", "Equatable",
    "Int", "JSON", "OrNull", "ProblemKind", "Protocol", "Remote", "RowKind", "Self", "Sendable", "String", "Type",
    "URL", "UUID",
  ]
}
