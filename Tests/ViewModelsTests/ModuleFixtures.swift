// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A module that notes down the events that it is told of. It has an item whose bundle is changed in place.

final class Note: Module {
  final class Page: ItemBundle {
    var text: String
    let pressed = Observer<Void>()
    init(_ text: String) { self.text = text }
    func content(in orientation: Orientation) -> String { orientation.isLandscape ? text + ", wide" : text }
  }

  let name: String
  let first: BundleItem<Page>
  let second: BundleItem<Int>
  var items: [ModuleItem] { [first, second] }
  let log: Diary
  /// The number of times that each item was bound again.
  var bound = [0, 0]

  init(_ name: String, _ log: Diary) {
    self.name = name
    self.log = log
    first = BundleItem(Page(name))
    second = BundleItem(0)
    first.shown.addObserver(Observer(self) { note, _ in note.bound[0] += 1 })
    second.shown.addObserver(Observer(self) { note, _ in note.bound[1] += 1 })
  }

  func didLoad() { log.lines.append("\(name) didLoad") }
  func willAppear() { log.lines.append("\(name) willAppear") }
  func didAppear() { log.lines.append("\(name) didAppear") }
  func willDisappear() { log.lines.append("\(name) willDisappear") }
  func didDisappear() { log.lines.append("\(name) didDisappear") }
  func rotated(to orientation: Orientation) { log.lines.append("\(name) rotated to \(orientation.rawValue)") }

  static let surface = Surface<Note>(
    "note", .value("first", \.first.shown), .value("second", \.second.shown),
    .action("pressed", \.first.bundle.pressed))
}

final class Diary {
  var lines: [String] = []
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A page of three notes, without a session.
struct Notes {
  let log = Diary()
  let page: ModulePage
  let notes: [Note]

  init(_ count: Int = 3, hash: @escaping ([UInt8]) -> UInt64 = ContentHash.fnv1a) {
    page = ModulePage(hash: hash)
    notes = (0..<count).map { [log] in Note("n\($0)", log) }
    for note in notes { page.append(note) }
    for note in notes { note.bound = [0, 0] }
  }

  var bound: [[Int]] { notes.map(\.bound) }

  /// The number of items that a refresh looked at, and the number that it bound.
  func refresh(_ change: () -> Void = {}) -> [Int] {
    let before = [page.checks.value, page.refreshes.value]
    change()
    page.refresh()
    return [page.checks.value - before[0], page.refreshes.value - before[1]]
  }
}
