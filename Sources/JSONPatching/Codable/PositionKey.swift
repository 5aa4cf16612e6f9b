// SPDX-License-Identifier: MIT

/// The key of a value without a name in its type: its position in an array, or `super`.
struct PositionKey: CodingKey {
  static let `super` = PositionKey(stringValue: "super")

  let stringValue: String
  let intValue: Int?

  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
