// SPDX-License-Identifier: MIT

/// An object that is told of the runs of all commands of a graph. By it a host knows the present runs, and can
/// limit their time.
///
/// When it is told of something, a watcher only takes notes: it must neither write to the graph nor execute or
/// cancel a command.
public protocol CommandRunWatcher: AnyObject {
  /// A command has taken an input. Its operation starts next, or waits for its turn.
  func runDidBegin(_ run: CommandRun)

  /// Whether the run's operation, whose turn it is, may start now. A watcher that answers no calls
  /// ``CommandRun/start()`` later.
  func mayStart(_ run: CommandRun) -> Bool

  /// The run is over, and its result can be observed. It is called once for each run that began.
  ///
  /// - Parameter error: the error of the operation; `nil` for a run that succeeded or was cancelled.
  func runDidEnd(_ run: CommandRun, _ error: (any Error)?)
}

extension CommandRunWatcher {
  /// A watcher that says nothing else lets each run start.
  public func mayStart(_ run: CommandRun) -> Bool { true }
}
