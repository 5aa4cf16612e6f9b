// SPDX-License-Identifier: MIT
import ObservableCore

/// The commands of a row end as the last list that has it lets go of it: a run may keep the row alive.
enum RowCommands {
  /// Counts a list in that has the view model as a row.
  static func rowDidJoin(_ row: Any) {
    guard let model = row as? any ViewModel, model.hasCommands else { return }
    Graph.entered?.attachments.listCounts.change(of: model) { $0 += 1 }
  }

  /// Counts a list out.
  static func rowDidLeave(_ row: Any) {
    guard let model = row as? any ViewModel, model.hasCommands, let attachments = Graph.entered?.attachments else {
      return
    }
    let count = attachments.listCounts.change(of: model) { count in
      count -= 1
      return count
    }
    if count > 0 { return }
    model.cancelCommands()
    // Commands behind methods are cancelled if they were made: the others have never run.
    for (_, command) in attachments.objects.value(of: model) ?? [:] { (command as? any Cancellable)?.cancel() }
  }
}
