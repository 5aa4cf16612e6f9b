// SPDX-License-Identifier: MIT

/// The names seen so far in one object, to find a duplicate.
///
/// Few names are compared one by one with the members themselves; a hash table is made only beyond
/// ``worthwhileCount``, so that neither a small object pays for it nor a large one costs O(n²).
struct NameIndex {
  /// The number of members from which a hash table is faster than comparing one by one.
  static let worthwhileCount = 16

  private var names: Set<NameBytes> = []

  /// Whether `name` is new among `members`; called once for each member, before it is appended.
  mutating func isNew(_ name: String, among members: [JSON.Member]) -> Bool {
    if members.count < Self.worthwhileCount {
      for index in members.indices where members[index].name.hasSameBytes(as: name) { return false }
      return true
    }
    if names.isEmpty { names = Set(members.lazy.map { NameBytes($0.name) }) }
    return names.insert(NameBytes(name)).inserted
  }
}

/// A name compared and hashed by its UTF-8 bytes. Hashing is seeded a process, so chosen names cannot make it collide.
struct NameBytes: Hashable {
  private let name: String

  init(_ name: String) { self.name = name }

  static func == (left: NameBytes, right: NameBytes) -> Bool { left.name.hasSameBytes(as: right.name) }

  func hash(into hasher: inout Hasher) {
    var copy = name
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both have the same UTF-8 bytes. Swift's `==` is coarser: it takes canonically equivalent texts for equal.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // `withUTF8` may have to make its string contiguous, hence the copies; a native string is not copied.
    var (left, right) = (self, other)
    return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
  }
}
