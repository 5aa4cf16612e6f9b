// SPDX-License-Identifier: MIT

/// The names seen so far in one object, to find a duplicate.
///
/// Few names are compared one by one with the members themselves; a hash table is made only beyond
/// ``worthwhileCount``, so that neither a small object pays for it nor a large one costs O(n²).
struct NameIndex {
  /// The number of members from which a hash table is faster than comparing one by one.
  static let worthwhileCount = 16

  private var names: Set<ExactText> = []

  /// Whether `name` is new among `members`; called once for each member, before it is appended.
  mutating func isNew(_ name: String, among members: [JSON.Member]) -> Bool {
    if members.count < Self.worthwhileCount {
      for index in members.indices where members[index].name.hasSameBytes(as: name) { return false }
      return true
    }
    if names.isEmpty { names = Set(members.lazy.map { ExactText($0.name) }) }
    return names.insert(ExactText(name)).inserted
  }
}
