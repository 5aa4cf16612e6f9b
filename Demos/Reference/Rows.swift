// SPDX-License-Identifier: MIT
import Euripus

/// A row that is only shown.
final class NoteViewModel: ViewModel {
  let text: Observable<ShortText>

  init(_ text: ShortText) { self.text = Observable(text, name: "text") }

  static let surface = Surface<NoteViewModel>("note", .value("text", \.text))
}

/// A row that can be done.
final class TaskViewModel: ViewModel {
  let text: Observable<ShortText>
  let isDone = Observable(false, name: "isDone")

  init(_ text: ShortText) { self.text = Observable(text, name: "text") }

  static let surface = Surface<TaskViewModel>("task", .twoWay("text", \.text), .twoWay("isDone", \.isDone))
}

/// A row of a list that is too long to be shown whole.
final class NumberViewModel: ViewModel {
  let name: Observable<String>

  init(_ name: String) { self.name = Observable("number \(name)", name: "name") }

  static let surface = Surface<NumberViewModel>("number", .value("name", \.name).notStored())
}
