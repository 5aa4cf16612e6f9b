// SPDX-License-Identifier: MIT
public import ViewModels

extension Session {
  /// Does many things as one transaction and one revision: each finds what the ones before it have made, and all are done or
  /// none (PROTOCOL §4).
  ///
  /// - Parameters:
  ///   - waiter: who waits for the commands that they start, if anybody does.
  ///   - request: the one that asks for it, if it has a key; remembered from here on, if the waiter waits.
  /// - Returns: the frame from `since` or else from before them; `nil` if the waiter waits, who gets that then.
  /// - Throws: ``SessionError``, `BatchRefused`, or what the view model threw; then nothing was changed.
  public func perform(
    _ batch: [BatchEntry], since: Version?, ifMatch: Precondition?, waiter: ActionWaiter? = nil,
    of request: KeyedRequest? = nil
  ) throws -> Message? {
    var before = version
    var results = ActionResults(isBatch: true, parts: [])
    let running = try runs.begun {
      // By entry: how many runs had begun before it.
      var starts: [Int] = []
      before = try change(["\(batch.count) at once"], ifMatch, count: batch.count) {
        try model.perform(batch) { _ in starts.append(runs.begunCount) }
      }
      starts.append(runs.begunCount)
      results.parts = batch.indices.map { part(batch[$0], runs: starts[$0]..<starts[$0 + 1]) }
    }
    guard let waiter, !running.isEmpty else { return frame(since: since ?? before, results) }
    actionWaits.append(
      ActionWait(
        readers: [waiter], request: request, since: since ?? before, results: results, runs: Set(running)))
    if let request { rememberAtWork(request) }
    return nil
  }

  /// The entries of a batch that can only be refused, whatever becomes of the state. They are counted like those of one that
  /// may be performed.
  ///
  /// - Parameter batch: `nil` for an entry that is known to be bad.
  /// - Throws: ``SessionError``, as `perform` would.
  public func faults(of batch: [BatchEntry?], ifMatch: Precondition?) throws -> BatchRefused {
    try checkLiving()
    try admit(batch.count)
    try check(ifMatch)
    return BatchRefused(entries: model.faults(of: batch))
  }

  /// What an entry came to so far.
  private func part(_ entry: BatchEntry, runs begun: Range<Int>) -> ActionResults.Part {
    guard case .perform(let path, _) = entry else { return ActionResults.Part(path: entry.path, run: nil) }
    // A command's own run begins before any that it starts.
    let own = begun.isEmpty ? nil : runs.begun(after: begun.lowerBound)
    if let own, runs.isRunning(own) { return ActionResults.Part(path: path, run: own) }
    return ActionResults.Part(path: path, run: nil, result: result(at: path))
  }
}
