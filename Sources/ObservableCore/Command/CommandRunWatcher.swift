// SPDX-License-Identifier: MIT

/// An object that is told of the runs of all commands of a graph: a host learns which runs are under way, and can set a
/// time limit.
///
/// A watcher only takes note: it must neither write to the graph nor execute or cancel a command.
public protocol CommandRunWatcher: AnyObject {
  /// An input was taken; the operation is started next, or waits for its turn.
  func runDidBegin(_ run: CommandRun)

  /// The run is over, and its result can be observed; told once for each run that began.
  ///
  /// - Parameter error: the error of the operation; `nil` for a run that succeeded or was cancelled.
  func runDidEnd(_ run: CommandRun, _ error: (any Error)?)
}
