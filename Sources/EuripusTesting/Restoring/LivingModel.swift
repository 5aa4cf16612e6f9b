// SPDX-License-Identifier: MIT
package import JSONPatching
import Locking
import ObservableCore
package import ViewModels

/// A hosted view model on an actor of its own, without a session and its limits.
package actor LivingModel {
  private let model: any HostedModel
  private let origin: SessionOrigin
  private let runs = Runs()
  private var revision: UInt64 = 0

  /// Makes a view model: a new one, or one from a stored state.
  package init(
    _ type: HostedModelType, for session: SessionOrigin = "a session", stored: JSON? = nil, schema: UInt32? = nil
  ) async throws {
    origin = session
    model =
      try stored.map { try type.restore($0, schema: schema ?? type.schema, for: session) } ?? type.make(for: session)
    live()
  }

  /// The session as it is stored: with its present user, preferences and timers.
  private var session: SessionOrigin {
    guard let context = model.context else { return origin }
    var session = SessionOrigin(id: origin.id, client: origin.client, visitor: context.visitor)
    let now = origin.clock()
    session.timers = context.storedTimers(at: now).map { Timers(stored: $0, at: now) }
    session.clock = origin.clock
    return session
  }

  /// The request whose answer would bring a client a new key.
  private final class Answered: Sendable {}
  private static let answered = Answered()

  private func live() {
    model.context?.answering = { Self.answered }
    model.live(in: self, runWatcher: runs, didChange: {})
  }

  /// Makes one change.
  ///
  /// - Returns: the reason why it was refused or failed; `nil` if it passed.
  package func take(_ step: Change) -> String? {
    let context = model.context
    context?.acting = { [client = origin.client] in ActionOrigin(client: client, key: "trial") }
    defer {
      context?.acting = { nil }
      // Somebody may have signed in or out, which no client has to be told.
      model.enter { _ = context?.takeWish() }
    }
    do {
      try model.apply(step)
      return nil
    } catch { return "\(error)" }
  }

  /// The state that a client sees.
  package var state: JSON {
    revision += 1
    _ = model.stamp(revision)
    var writer = JSONWriter()
    model.writeState(to: &writer)
    return Self.read(writer.bytes)
  }

  /// The stored state, as text.
  package var storedText: [UInt8] {
    var writer = JSONWriter()
    model.writeStored(to: &writer)
    return writer.bytes
  }

  package var stored: JSON { Self.read(storedText) }

  /// Does what a restart would do. It also ends commands that the surface does not name.
  package func interrupt() throws {
    // A command that the view model executes again, as it is told, goes on. So does a reading of what it follows, which a
    // restart begins anew.
    let interrupted = runs.running.filter { !$0.isRepeatable }
    try model.interrupt()
    for run in interrupted.reversed() { run.fail(with: CommandInterrupted()) }
  }

  /// Starts a command.
  ///
  /// - Returns: the state while it is executing; `nil` if it was refused or is over at once.
  package func begin(_ command: Change) -> JSON? { take(command) == nil && !runs.running.isEmpty ? state : nil }

  /// Starts a command, and interrupts it right then. If its view model executes it again, it waits for the end.
  ///
  /// - Returns: the states in between and afterwards; `nil` if the command was refused or is over at once.
  package func interrupt(_ command: Change) async throws -> (during: JSON, after: JSON)? {
    guard let during = begin(command) else { return nil }
    try interrupt()
    await settled()
    return (during, state)
  }

  /// The stored state of a model that is interrupted right then, and its session: a command is over in both, or in
  /// none.
  package func storeAndInterrupt() throws -> (text: [UInt8], session: SessionOrigin) {
    let stored = (storedText, session)
    try interrupt()
    return stored
  }

  /// The first reason why the stored state cannot be put back, as storing shows it; `nil` if there is none.
  package func storingFault() -> String? {
    let fault = Locked<String?>(nil)
    StoringFault.$observer.withValue({ new in fault.withLock { $0 = $0 ?? new } }) { _ = storedText }
    return fault.withLock { $0 }
  }

  /// Waits until no command is executing, or until the task is cancelled.
  package func settled() async {
    while !runs.running.isEmpty, !Task.isCancelled {
      let (ends, isOver) = AsyncStream.makeStream(of: Void.self)
      runs.waiting.append(isOver)
      for await _ in ends {}
    }
  }

  static func read(_ text: [UInt8]) -> JSON {
    // The limits for bodies from clients do not apply to the stored state.
    do { return try JSONReader.read(text, limits: .init(depth: 512, nodes: .max)) } catch {
      stopProgram(bug: "what was written is not JSON, \(error): \(String(decoding: text, as: UTF8.self))")
    }
  }
}

/// The present runs of commands, on the model's actor.
private final class Runs: CommandRunWatcher {
  var running: [CommandRun] = []
  var waiting: [AsyncStream<Void>.Continuation] = []

  func runDidBegin(_ run: CommandRun) { running.append(run) }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    running.removeAll { $0 === run }
    guard running.isEmpty else { return }
    let due = waiting
    waiting = []
    for continuation in due { continuation.finish() }
  }
}
