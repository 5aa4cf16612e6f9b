// SPDX-License-Identifier: MIT
public import ObservableCore

/// A scheduler that runs actions in the isolation of the actor that made it, and measures time by a clock.
///
/// Where the isolation is known, in an actor's or a global actor's code, `ActorScheduler()` takes it; elsewhere it does
/// not compile. It can then be handed to code that only runs in there, such as a view model. Using it in another
/// isolation ends the process.
///
/// The scheduler does not keep the actor alive. Work that is scheduled when the actor is gone does not run.
public final class ActorScheduler: TimeScheduler {
  private weak var owner: (any Actor)?
  private let clock: any Clock<Duration>
  /// The jobs that wait for the turn that was asked for, in order.
  private var ready = EventQueue<ScheduledAction>()
  /// Set from asking for a turn until that turn has run all jobs.
  private var isTurnComing = false

  /// A scheduler of the caller's actor.
  ///
  /// - Parameters:
  ///   - clock: the clock by which delays are measured.
  ///   - isolation: the actor that the actions run on, which is not kept alive.
  public init(clock: any Clock<Duration> = ContinuousClock(), isolation: isolated any Actor = #isolation) {
    owner = isolation
    self.clock = clock
  }

  @discardableResult
  public func schedule(_ action: @escaping () -> Void) -> any Disposable {
    let scheduled = ScheduledAction(action)
    ready.append(scheduled)
    guard !isTurnComing else { return scheduled }
    isTurnComing = true
    perform { self.takeTurn() }
    return scheduled
  }

  @discardableResult
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable {
    let scheduled = ScheduledAction(action)
    scheduled.task = perform(after: delay) { scheduled.run() }
    return scheduled
  }

  /// Runs asynchronous work in the owner's isolation.
  ///
  /// - Parameter work: a closure without a capture list: with one, Swift 6.3.1 runs it outside the isolation all the
  ///   same (a closure of the type `nonisolated(nonsending)` loses that; `SchedulerTests` would tell).
  /// - Returns: the task, or `nil` if the owner is gone.
  @discardableResult
  func perform(
    after delay: Duration? = nil, _ work: nonisolated(nonsending) @escaping () async -> Void
  ) -> Task<Void, Never>? {
    guard let owner else { return nil }
    owner.preconditionIsolated("an ActorScheduler was used outside the isolation that it belongs to")
    let handover = Handover(work)
    guard let delay else { return Task { [owner] in await handover.run(in: owner) } }
    let clock = clock
    return Task { [weak owner] in
      // It throws only when the task is cancelled, by a disposal: then there is nothing left to hand over.
      try? await clock.sleep(for: delay)
      if let owner { await handover.run(in: owner) }
    }
  }

  /// A closure that can be called once from any thread and runs `action` in the owner's isolation later on.
  func later<Input>(_ action: @escaping () -> Void) -> @Sendable (Input) -> Void {
    let handover = Handover(action)
    return { [weak owner] _ in
      guard let owner else { return }
      Task { await handover.run(in: owner) }
    }
  }

  private func takeTurn() {
    while let scheduled = ready.next() { scheduled.run() }
    isTurnComing = false
  }
}

/// Work on its way from an actor back to the same actor.
///
/// It is run and let go of in the actor's isolation, so that the values that it captured are never touched, or freed,
/// outside.
// @unchecked Sendable: `ActorScheduler.perform` checks that the maker is in the isolation in which `run` is.
private final class Handover: @unchecked Sendable {
  private var work: (nonisolated(nonsending) () async -> Void)?

  init(_ work: nonisolated(nonsending) @escaping () async -> Void) { self.work = work }

  func run(in owner: isolated any Actor) async {
    // A use of the isolation before the call: without one, Swift 6.3.1 leaves out the hop into it.
    owner.preconditionIsolated()
    let work = work
    self.work = nil
    await work?()
  }
}
