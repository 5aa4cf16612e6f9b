// SPDX-License-Identifier: MIT
public import JSONPatching

/// The changes of a stored state's parts since they were last told: the parts that have come, changed or gone.
/// The rows of long lists are parts, and so are the orders of these lists.
///
/// A part is the JSON of one value. Its name is the UTF-8 of the value's JSON Pointer in the state. The object
/// that is left, the *main* one, lacks these values, and has the number of the parts.
public struct PartsChange: Sendable, Equatable {
  /// The present JSON of the parts that have come or changed, by their names.
  public var put: [[UInt8]: [UInt8]]
  /// The names of the parts that have gone; none is in ``put``.
  public var removed: Set<[UInt8]>
  /// Whether ``put`` has all parts, so that every other part goes. ``removed`` does not count then.
  public var isWhole: Bool

  public init(put: [[UInt8]: [UInt8]] = [:], removed: Set<[UInt8]> = [], isWhole: Bool = false) {
    self.put = put
    self.removed = removed
    self.isWhole = isWhole
  }

  public var isEmpty: Bool { put.isEmpty && removed.isEmpty && !isWhole }

  /// The change that this one and a later one make together. O(both).
  public func merged(with later: PartsChange) -> PartsChange {
    if later.isWhole { return later }
    var merged = self
    for name in later.removed {
      merged.put[name] = nil
      merged.removed.insert(name)
    }
    for (name, json) in later.put {
      merged.put[name] = json
      merged.removed.remove(name)
    }
    return merged
  }

  /// The whole stored state: a main object with all its parts in their places. ``put`` has to have all of them.
  /// O(all).
  ///
  /// - Throws: ``StoredStateError`` if a part has no place or is no JSON, or if there are not as many as the
  ///   main object says.
  public func assembled(in main: JSON) throws(StoredStateError) -> JSON {
    let counted = main[StoredName.parts] ?? 0
    guard counted == .integer(Int64(put.count)) else {
      throw .unreadable("the stored state has \(put.count) parts, and says that they are \(counted)")
    }
    if put.isEmpty { return main }
    // The walk to each object that gets members is made once.
    var members: [ExactText: [JSON.Member]] = [:]
    // Sorted, so that the whole is always the same.
    for (name, json) in put.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let text = String(decoding: name, as: UTF8.self)
      guard let end = text.utf8.lastIndex(of: UInt8(ascii: "/")),
        let token = JSONPointer(String(text[end...]))?.tokens.first,
        let value = try? JSONReader.read(json, limits: Self.limits)
      else { throw .unreadable("the stored state's part '\(text)' cannot be read") }
      members[ExactText(String(text[..<end])), default: []].append(JSON.Member(name: token, value: value))
    }
    var whole = main
    whole[StoredName.parts] = nil
    // A list comes before its rows.
    for (place, members) in members.sorted(by: { $0.key.text.utf8.count < $1.key.text.utf8.count }) {
      guard let path = JSONPointer(place.text)?.tokens[...], whole.add(members, at: path) else {
        throw .unreadable("the stored state has parts at '\(place.text)', where it has no object")
      }
    }
    return whole
  }

  private static let limits = JSONLimits(depth: 512, nodes: .max)
}

extension JSON {
  /// Adds members to the object at a path.
  ///
  /// - Returns: whether there is an object at the path.
  fileprivate mutating func add(_ added: [Member], at path: ArraySlice<String>) -> Bool {
    guard case .object(var members) = self else { return false }
    if let name = path.first {
      guard let index = members.firstIndex(where: { ExactText($0.name) == ExactText(name) }),
        members[index].value.add(added, at: path.dropFirst())
      else { return false }
    } else {
      members += added
    }
    self = .object(members)
    return true
  }
}
