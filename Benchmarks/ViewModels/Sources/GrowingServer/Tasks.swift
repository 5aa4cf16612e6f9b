// SPDX-License-Identifier: MIT
import Euripus

/// A list of things to do that is shown whole, however long: each row has two short values.
final class Tasks: ViewModel {
  let rows = KeyedList<Task>()
  let title = Observable("Tasks")
  let rename = Observer<String>()

  init(rows count: Int) {
    for number in 0..<count { rows.append(Task(), key: "task-\(10_000 + number)") }
    rename.handle(self) { page, title in page.title.value = title }
  }

  static let surface = Surface<Tasks>(
    "tasks", .list("rows", \.rows), .value("title", \.title), .action("rename", \.rename))
}

/// A row of the list.
final class Task: ViewModel {
  let text = Observable("Buy fresh bread")
  let done = Observable(false)

  static let surface = Surface<Task>("task", .value("text", \.text), .twoWay("done", \.done))
}
