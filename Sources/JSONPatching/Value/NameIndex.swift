// SPDX-License-Identifier: MIT

/// The names so far in one object, to find a duplicate.
///
/// A few names are compared one by one with the members themselves. A hash table is made only beyond
/// ``worthwhileCount``. So a small object does not pay for it, and a large one does not cost O(n²).
struct NameIndex {
  /// The number of members from which on a hash table is faster than comparing one by one.
  static let worthwhileCount = 16

  private var names: Set<ExactText> = []

  /// Whether `name` is new among `members`. To be called once for each member, before the member is appended.
  mutating func isNew(_ name: String, among members: [JSON.Member]) -> Bool {
    if members.count < Self.worthwhileCount {
      for index in members.indices where members[index].name.hasSameBytes(as: name) { return false }
      return true
    }
    if names.isEmpty { names = Set(members.lazy.map { ExactText($0.name) }) }
    return names.insert(ExactText(name)).inserted
  }
}
