// SPDX-License-Identifier: MIT
public import JSONPatching
import Metering
import ObservableCore
import ViewModels

/// Reverse flow: what is done for requests, each as one transaction and one revision.
extension Session {
  /// Performs one action or starts a command, as one transaction and one revision.
  ///
  /// - Parameter path: a JSON Pointer's tokens, unescaped.
  /// - Returns: the frame from `since` or else from before the action.
  /// - Throws: ``SessionError``, `SurfaceError`, or what the view model threw; then nothing was changed.
  public func perform(_ path: [String], _ value: JSON?, since: Version?, ifMatch: Precondition?) throws -> Message {
    let (before, running) = try perform(path, value, ifMatch)
    return frame(since: since ?? before, resultAt: running.isEmpty ? path : nil)
  }

  /// Performs an action, and waits for the commands that it starts.
  ///
  /// - Parameter request: the one that asks for it, if it has a key; remembered from here on, if the waiter waits.
  /// - Returns: as `perform`; `nil` if the waiter waits, who gets that then.
  /// - Throws: as `perform`.
  public func perform(
    _ path: [String], _ value: JSON?, since: Version?, ifMatch: Precondition?, waiter: ActionWaiter,
    of request: KeyedRequest? = nil
  ) throws -> Message? {
    let (before, running) = try perform(path, value, ifMatch)
    if running.isEmpty { return frame(since: since ?? before, resultAt: path) }
    // A command's own run begins before any that it starts.
    actionWaits.append(
      ActionWait(
        readers: [waiter], request: request, since: since ?? before, results: .one(path, running.first),
        runs: Set(running)))
    if let request { rememberAtWork(request) }
    return nil
  }

  private func perform(
    _ path: [String], _ value: JSON?, _ ifMatch: Precondition?
  ) throws -> (before: Version, running: [UInt64]) {
    var before = version
    let running = try runs.begun { before = try change(path, ifMatch) { try model.perform(path, value) } }
    return (before, running)
  }

  /// Sets one two-way value, as one transaction and one revision.
  ///
  /// - Throws: as `perform`.
  public func assign(_ path: [String], _ value: JSON, since: Version?, ifMatch: Precondition?) throws -> Message {
    let before = try change(path, ifMatch) { try model.assign(path, value) }
    return frame(since: since ?? before, resultAt: nil)
  }

  /// Cancels a command, as one transaction and one revision; one that is idle is left alone.
  ///
  /// - Throws: as `perform`.
  public func cancel(_ path: [String], since: Version?, ifMatch: Precondition?) throws -> Message {
    let before = try change(path, ifMatch) { try model.cancel(path) }
    return frame(since: since ?? before, resultAt: nil)
  }

  /// - Throws: ``SessionError``, if the session has ended or its version is not the one that is expected.
  public func check(_ ifMatch: Precondition?) throws {
    try checkLiving()
    if let ifMatch, !ifMatch.isMet(by: version) { throw SessionError.versionMoved(version) }
  }

  /// - Returns: the version before the change.
  ///
  /// - Parameter count: how many changes the request asks for.
  func change(
    _ path: [String], _ ifMatch: Precondition?, count: Int = 1, _ body: () throws -> Void
  ) throws -> Version {
    prefetch(.changing)
    try checkLiving()
    try admit(count)
    if let ifMatch { try check(ifMatch) }
    let before = version
    isChanging = true
    // Of one that throws too: what its undoing wrote, or told outside the graph, is there.
    defer {
      isChanging = false
      publish()
      let seconds = lastUsed.seconds(to: services.now())
      // Not counted, as all sessions have it in common.
      Unmanaged.passUnretained(meters.actions)._withUnsafeGuaranteedRef { $0.observe(seconds) }
    }
    prefetch(.performing)
    try ActionWatch.watching(.passUnretained(services.watch), path, of: modelName, since: lastUsed, body)
    // What is stored may have changed where nothing that is shown has.
    isUnsaved = true
    return before
  }

  /// Makes a revision of what has changed, and answers who waits for it.
  private func publish() {
    if isClosed { return }
    if model.stamp(revision + 1) {
      revision += 1
      isUnsaved = true
      checkStateLength()
      wakeWaiters()
    }
    answerActions()
  }

  /// Publishes what a command's step has written just before, in the same turn: who comes in must not see it under the version
  /// from before.
  func catchUp() { if isPublishing { publish() } }

  /// Has what is written outside a change published when the turn in which that happens is over.
  func publishLater() {
    if isChanging || isPublishing { return }
    isPublishing = true
    executor.afterTurn {
      self.submit { session in
        session.isPublishing = false
        session.publish()
      }
    }
  }
}
