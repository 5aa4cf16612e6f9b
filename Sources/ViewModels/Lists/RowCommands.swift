// SPDX-License-Identifier: MIT
import ObservableCore

/// The end of a row's commands. They end when the last list lets go of the row, as a run may keep the row
/// alive.
enum RowCommands {
  /// Counts a list that has taken the view model in as a row.
  static func rowDidJoin(_ row: Any) {
    guard let model = row as? any ViewModel, model.hasCommands else { return }
    Graph.entered?.attachments.listCounts.change(of: model) { $0 += 1 }
  }

  /// Counts a list out, and ends the commands if it was the last.
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
    // Commands behind methods are cancelled if they were made. The others have never run.
    for (_, command) in attachments.objects.value(of: model) ?? [:] { (command as? any Cancellable)?.cancel() }
  }
}
