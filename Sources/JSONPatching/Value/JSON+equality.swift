// SPDX-License-Identifier: MIT

/// Equality as RFC 6902 §4.6 defines it. Numbers are equal by their numerical value: `1` equals `1.0`. Strings
/// are compared code point by code point and not by Swift's canonical equivalence: `é` in one and in two code
/// points differ. Objects are compared without regard to order.
extension JSON: Equatable {
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      number.integer == integer
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): haveSameMembers(left, right)
    default: false
    }
  }

  private static func haveSameMembers(_ left: [Member], _ right: [Member]) -> Bool {
    guard left.count == right.count else { return false }
    if left == right { return true }
    if left.count <= NameIndex.worthwhileCount {
      return left.allSatisfy { member in right.contains { $0 == member } }
    }
    var valueByName: [ExactText: JSON] = [:]
    for member in right { valueByName[ExactText(member.name)] = member.value }
    return left.allSatisfy { valueByName[ExactText($0.name)] == $0.value }
  }
}

extension JSON.Member: Equatable {
  public static func == (left: JSON.Member, right: JSON.Member) -> Bool {
    left.name.hasSameBytes(as: right.name) && left.value == right.value
  }
}

extension Double {
  /// The integer of exactly this value, if Int64 has one.
  ///
  /// The standard library's `Int64(exactly:)` would do, but it calls `trunc`. A program that imports neither
  /// Foundation nor Glibc does not link with libm.
  var integer: Int64? {
    guard magnitude < 0x1p63 || self == -0x1p63 else { return nil }
    let integer = Int64(self)
    return Double(integer) == self ? integer : nil
  }
}
