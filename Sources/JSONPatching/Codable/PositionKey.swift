// SPDX-License-Identifier: MIT

/// The key of a value that has no name of a type's: its position in an array, or `super`.
struct PositionKey: CodingKey {
  static let `super` = PositionKey(stringValue: "super")

  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
