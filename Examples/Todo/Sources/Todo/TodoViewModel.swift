// SPDX-License-Identifier: MIT
import Euripus

final class TodoViewModel: ViewModel {
  let draft = Observable("")
  let items = KeyedList<ItemViewModel>()
  let canAdd: Computed<Bool>
  let left: Computed<Int>
  let add = Observer<Void>()
  private var lastKey = 0

  init() {
    let (draft, items) = (draft, items)
    canAdd = Computed { !draft.value.isEmpty }
    left = Computed { items.rows.count { !$0.done.value } }
    add.handle(self) { todo, _ in todo.addDraft() }
  }

  private func addDraft() {
    lastKey += 1
    items.append(item("\(lastKey)", draft.value), key: "\(lastKey)")
    draft.value = ""
  }

  private func item(_ key: String, _ text: String) -> ItemViewModel {
    let item = ItemViewModel(text)
    item.remove.handle(self) { todo, _ in todo.items.remove(key) }
    return item
  }

  static let surface = Surface<TodoViewModel>(
    "todo",
    .twoWay("draft", \.draft),
    .list("items", \.items) { todo, key in todo.item(key, "") },
    .stored("lastKey", \.lastKey),
    .value("canAdd", \.canAdd),
    .value("left", \.left),
    .action("add", \.add, when: \.canAdd))
}

final class ItemViewModel: ViewModel {
  let text: Observable<String>
  let done = Observable(false)
  let remove = Observer<Void>()

  init(_ text: String) { self.text = Observable(text) }

  static let surface = Surface<ItemViewModel>(
    "item", .value("text", \.text), .twoWay("done", \.done), .action("remove", \.remove))
}
