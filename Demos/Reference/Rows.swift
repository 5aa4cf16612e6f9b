// SPDX-License-Identifier: MIT
import Euripus

/// A row that is only shown.
final class NoteViewModel: ViewModel {
  @Observed var text: ShortText

  init(_ text: ShortText) { self.text = text }

  static let surface = Surface<NoteViewModel>("note", .value("text", \.$text))
}

/// A row that can be done.
final class TaskViewModel: ViewModel {
  @Observed var text: ShortText
  @Observed var isDone = false

  init(_ text: ShortText) { self.text = text }

  static let surface = Surface<TaskViewModel>("task", .twoWay("text", \.$text), .twoWay("isDone", \.$isDone))
}

/// A row of a list that is too long to be shown whole.
final class NumberViewModel: ViewModel {
  @Observed var name: String

  init(_ name: String) { self.name = "number \(name)" }

  static let surface = Surface<NumberViewModel>("number", .value("name", \.$name).notStored())
}
