// SPDX-License-Identifier: MIT
import JSONPatching

/// The memory of a view model's stored parts, by which only the changed ones are told.
///
/// A list is in parts if it has ``least`` rows or more, and is not within a row of another list. A list that
/// has become shorter is written whole.
final class PartsKeeper {
  /// The fewest rows of a list that is stored in parts.
  static let least = 32

  /// The lists that are in parts, by their pointers.
  private var lists: [[UInt8]: ListParts] = [:]
  /// The pointers of the lists that were written since the last ``writeCount(to:)``.
  private var written: Set<[UInt8]> = []
  /// The stored parts that belong to none of the lists as yet: after a restart, or of a list that another one
  /// has replaced.
  private var others: [[UInt8]: [UInt8]]
  private var change = PartsChange()
  /// The place in the stored state, as a pointer.
  private var place: [UInt8] = []

  /// - Parameter stored: the parts that are stored, by their names.
  init(stored: [[UInt8]: [UInt8]] = [:]) { others = stored }

  deinit { for list in lists.values { list.end() } }

  /// Whether nothing is stored in parts.
  var isEmpty: Bool { lists.isEmpty && others.isEmpty }

  /// The number of the parts.
  var count: Int { lists.values.reduce(0) { $0 + $1.count } }

  /// The bytes of the JSON of the parts.
  var textBytes: Int { lists.values.reduce(0) { $0 + $1.textBytes } }

  /// The estimated bytes of memory that it takes.
  var bytes: Int { lists.values.reduce(0) { $0 + $1.bytes } }

  /// Does something below these names.
  func below(_ names: [String], _ body: () -> Void) {
    let length = place.count
    for name in names { place += Self.segment(name) }
    body()
    place.removeLast(place.count - length)
  }

  /// `/name`, as it stands in a pointer.
  static func segment(_ name: String) -> [UInt8] { Array("/".utf8) + JSONPointer.escape(name).utf8 }

  /// Writes a list, or the rest of it beside its parts.
  func write(_ core: KeyedListCore, _ storing: ListStoring, _ name: String, to writer: inout JSONWriter) {
    guard core.entries.count >= Self.least else { return core.writeStored(storing, to: &writer) }
    let pointer = place + Self.segment(name)
    let list = list(core, at: pointer)
    written.insert(pointer)
    list.update(storing, &change) { self.others.removeValue(forKey: $0) }
    writer.beginObject()
    core.writeStoredWindow(to: &writer)
    writer.key("items")
    writer.beginObject()
    writer.endObject()
    writer.endObject()
  }

  private func list(_ core: KeyedListCore, at pointer: [UInt8]) -> ListParts {
    if let list = lists[pointer] {
      if list.core === core { return list }
      // Another list has taken its place. Parts that are the same stay.
      giveUp(list)
    }
    let list = ListParts(core, at: pointer)
    lists[pointer] = list
    return list
  }

  private func giveUp(_ list: ListParts) {
    list.end()
    for (name, json) in list.stored { others[name] = json }
  }

  /// Writes the number of parts. Call it after all lists are written.
  func writeCount(to writer: inout JSONWriter) {
    for (pointer, list) in lists where !written.contains(pointer) {
      giveUp(list)
      lists[pointer] = nil
    }
    change.removed.formUnion(others.keys)
    others = [:]
    written = []
    if count == 0 { return }
    writer.key(StoredName.parts)
    writer.integer(count)
  }

  /// Takes the change since the last call, or all parts. Call it after ``writeCount(to:)``.
  func takeChange(isWhole: Bool) -> PartsChange {
    defer { change = PartsChange() }
    if !isWhole { return change }
    return PartsChange(
      put: lists.values.reduce(into: [:]) { $0.merge($1.stored) { _, new in new } }, isWhole: true)
  }
}

extension Optional<PartsKeeper> {
  /// Does something below these names. Only parts have to know the names.
  func below(_ names: String..., body: () -> Void) {
    if let self { self.below(names, body) } else { body() }
  }
}
