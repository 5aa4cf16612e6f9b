// SPDX-License-Identifier: MIT
import Euripus

final class TodoViewModel: ViewModel {
  @Observed var draft = ""
  let items = KeyedList<ItemViewModel>()
  private var lastKey = 0
  lazy var canAdd = Computed(self) { !$0.draft.isEmpty }
  lazy var left = Computed(self) { $0.items.rows.count { !$0.done } }

  func add() {
    lastKey += 1
    items.append(ItemViewModel(draft), key: "\(lastKey)")
    draft = ""
  }

  func remove(_ key: String) { items.remove(key) }

  static let surface = Surface<TodoViewModel>(
    "todo",
    .twoWay("draft", \.$draft),
    .list("items", \.items) { _, _ in ItemViewModel("") },
    .stored("lastKey", \.lastKey),
    .value("canAdd", \.canAdd),
    .value("left", \.left),
    .action("add", TodoViewModel.add, when: \.canAdd),
    .action("remove", TodoViewModel.remove))
}

final class ItemViewModel: ViewModel {
  @Observed var text: String
  @Observed var done = false

  init(_ text: String) { self.text = text }

  static let surface = Surface<ItemViewModel>("item", .value("text", \.$text), .twoWay("done", \.$done))
}
