// SPDX-License-Identifier: MIT

/// A folder or a recording.
struct LibraryItem: Equatable, Sendable {
  let id: String
  /// The folder that it is in.
  let parent: String
  var name: String
  /// The length in seconds; `nil` for a folder.
  let length: Double?

  var isFolder: Bool { length == nil }
}

/// A folder with the items in it, by name.
struct Folder: Equatable, Sendable {
  let id: String
  let name: String
  let contents: [LibraryItem]
}

/// All folders and recordings, as one value.
struct Library: Equatable, Sendable {
  /// The folder that everything is in. It is no item: it cannot be renamed or deleted.
  static let root = "root"
  /// The most items that clients can add: every change writes the whole library, and every session shows its part of
  /// it. The part of a full library fits into the state of a session, with all its pages open.
  static let mostItems = 300
  static let longestName = 255

  var count: Int { items.count }

  /// Grows with each change, so that an older library can be told by number.
  private(set) var revision: UInt64 = 0
  /// The number of the next item. None is used twice, so that an old path never leads to something new.
  private(set) var nextNumber: Int
  private var items: [String: LibraryItem]

  /// - Parameter items: the items, each after the folder that it is in.
  init(nextNumber: Int = 1, items: [LibraryItem] = []) {
    self.nextNumber = nextNumber
    self.items = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
  }

  /// All items, each after the folder that it is in, which is older.
  var all: [LibraryItem] { items.values.sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) } }

  subscript(id: String) -> LibraryItem? { items[id] }

  func folder(_ id: String) -> Folder? {
    if id == Self.root { return Folder(id: id, name: "Recordings", contents: contents(of: id)) }
    guard let item = items[id], item.isFolder else { return nil }
    return Folder(id: id, name: item.name, contents: contents(of: id))
  }

  private func contents(of id: String) -> [LibraryItem] {
    items.values.filter { $0.parent == id }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  mutating func add(_ name: String, length: Double?, to parent: String) throws(RecordingsError) -> LibraryItem {
    guard parent == Self.root || items[parent]?.isFolder == true else { throw .isGone("The folder for '\(name)'") }
    guard items.count < Self.mostItems else { throw .isFull(most: Self.mostItems) }
    try Self.check(name)
    let item = LibraryItem(id: "\(nextNumber)", parent: parent, name: name, length: length)
    nextNumber += 1
    revision += 1
    items[item.id] = item
    return item
  }

  mutating func rename(_ id: String, to name: String) throws(RecordingsError) {
    guard items[id] != nil else { throw .isGone("The item you renamed to '\(name)'") }
    try Self.check(name)
    revision += 1
    items[id]?.name = name
  }

  private static func check(_ name: String) throws(RecordingsError) {
    let count = name.utf8.count
    if count > longestName { throw .nameIsTooLong(most: longestName, count) }
  }

  /// Removes an item with all that is in it.
  ///
  /// - Returns: the items that were removed, those in a folder before the folder (S3-R6).
  mutating func remove(_ id: String) throws(RecordingsError) -> [LibraryItem] {
    guard let item = items[id] else { throw .isGone("The item") }
    var removed: [LibraryItem] = []
    for inner in contents(of: id) { removed += try remove(inner.id) }
    revision += 1
    items[id] = nil
    return removed + [item]
  }
}
