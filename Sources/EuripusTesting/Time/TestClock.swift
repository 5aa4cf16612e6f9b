// SPDX-License-Identifier: MIT
import Locking
public import Testing
public import ViewModels

/// A clock that stands still until a test moves it, for commands that sleep, and for timeouts.
///
/// ```swift
/// let clock = TestClock()
/// let search = try ModelDriver(clock: clock) { SearchViewModel(clock: clock) }
/// try search.perform("find", "swift")
/// clock.advance(by: .milliseconds(300))
/// #expect(search["found"] == 7)
/// ```
///
/// When ``advance(by:)`` returns, the code that was due in the drivers of this clock has run, in the order of
/// time, until it awaits something other than this clock. No real time passes. A command already sleeps when
/// `perform` returns, if the sleep is the first thing that it awaits. A task of its own, such as one of a task
/// group, begins to sleep some time later: wait for it with ``sleepers(_:)``.
// It keeps nothing as an actor. Its executor leaves each task on the thread on which the task comes.
public actor TestClock: Clock {
  /// A time: the duration since the clock was made.
  public struct Instant: InstantProtocol {
    public let elapsed: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private struct Driver {
    let id: ObjectIdentifier
    /// The next time at which its own timers are due; `nil` for none.
    let next: @Sendable () -> Instant?
    let timePassed: @Sendable () -> Void
  }

  private struct Time {
    var now = Instant(elapsed: .zero)
    /// The sleepers in the order in which they are due. If two are due at one time, the first to come is first.
    var sleepers: [Sleeper] = []
    /// Tests that wait until a number of tasks sleep.
    var waiting: [(count: Int, continuation: AsyncStream<Void>.Continuation)] = []
    var drivers: [Driver] = []
  }

  private nonisolated let time = Locked(Time())
  private nonisolated let executor = InlineExecutor()
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private nonisolated let waits: Bool

  /// - Parameter waits: whether it waits until a test moves it. If not, each sleep is over at once, and moves
  ///   the clock.
  public init(waits: Bool = true) { self.waits = waits }

  public nonisolated var now: Instant { time.withLock { $0.now } }
  /// The time of the calendar that view models see (``SessionContext/now``). It begins 1,000,000,000 s after
  /// 1970.
  public nonisolated var wallTime: WallTime { Self.wallStart + now.elapsed }
  private static let wallStart = WallTime(milliseconds: 1_000_000_000_000)

  public nonisolated var minimumResolution: Duration { .zero }

  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard let sleeper = sleeper(until: deadline) else { return }
    await withTaskCancellationHandler {
      await sleeper.sleep()
    } onCancel: {
      remove(sleeper)
      sleeper.wake()
    }
    try Task.checkCancellation()
  }

  // MARK: Moving

  /// Moves the clock, and runs all code that is due.
  public nonisolated func advance(by duration: Duration) {
    let end = now.advanced(by: duration)
    settle()
    while let due = nextDue, due <= end {
      move(to: due)
      if let sleeper = takeDue() {
        sleeper.wake()
        settle()
      }
    }
    move(to: end)
  }

  /// The next time at which a sleeper wakes or a timer is due. The drivers have run all code that was due up to
  /// now.
  private nonisolated var nextDue: Instant? {
    let (sleeper, drivers, now) = time.withLock { ($0.sleepers.first?.deadline, $0.drivers, $0.now) }
    return ([sleeper] + drivers.map { $0.next() }.filter { $0.map { $0 > now } ?? false }).compactMap(\.self).min()
  }

  /// Moves the clock until no task sleeps any more.
  ///
  /// - Parameter limit: the most sleeps that may end until then; the test fails if there are more.
  public nonisolated func run(limit: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation) {
    settle()
    for _ in 0..<limit {
      guard let due = time.withLock({ $0.sleepers.first?.deadline }) else { return }
      move(to: due)
      takeDue()?.wake()
      settle()
    }
    guard let next = time.withLock({ $0.sleepers.first?.deadline }) else { return }
    Issue.record(
      """
      the clock was moved \(limit) times, and somebody sleeps again, now until \(next.elapsed); expected all to have done \
      with sleeping. Something that sleeps without end is moved with 'advance(by:)'
      """, sourceLocation: sourceLocation)
  }

  /// The number of tasks that sleep now.
  public nonisolated var sleeping: Int { time.withLock { $0.sleepers.count } }

  /// Waits until a number of tasks sleep, or until the task is cancelled, as by a test's time limit. A test that
  /// waits needs a limit.
  public nonisolated func sleepers(_ count: Int) async {
    let (ends, isSo) = AsyncStream.makeStream(of: Void.self)
    time.withLock { time in
      if time.sleepers.count >= count { isSo.finish() } else { time.waiting.append((count, isSo)) }
    }
    for await _ in ends {}
  }

  // MARK: Drivers

  /// Calls `timePassed` when the clock was moved. It returns when all code that has become due has run.
  ///
  /// - Parameter next: gives the next time at which the driver's own timers are due.
  nonisolated func join(
    _ driver: AnyObject, next: @escaping @Sendable () -> Instant?, timePassed: @escaping @Sendable () -> Void
  ) {
    time.withLock { $0.drivers.append(Driver(id: ObjectIdentifier(driver), next: next, timePassed: timePassed)) }
  }

  nonisolated func leave(_ driver: AnyObject) {
    let gone = time.withLock { time in
      let gone = time.drivers.filter { $0.id == ObjectIdentifier(driver) }
      time.drivers.removeAll { $0.id == ObjectIdentifier(driver) }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  private nonisolated func settle() { for driver in time.withLock({ $0.drivers }) { driver.timePassed() } }

  // MARK: Sleepers

  private nonisolated func move(to instant: Instant) {
    time.withLock { $0.now = max($0.now, instant) }
    settle()
  }

  /// - Returns: `nil` if the time has already come.
  private nonisolated func sleeper(until deadline: Instant) -> Sleeper? {
    let (sleeper, due) = time.withLock { time -> (Sleeper?, [AsyncStream<Void>.Continuation]) in
      if !waits { time.now = max(time.now, deadline) }
      if deadline <= time.now { return (nil, []) }
      let sleeper = Sleeper(until: deadline)
      let index = time.sleepers.firstIndex { $0.deadline > deadline } ?? time.sleepers.count
      time.sleepers.insert(sleeper, at: index)
      let count = time.sleepers.count
      let due = time.waiting.filter { $0.count <= count }.map(\.continuation)
      time.waiting.removeAll { $0.count <= count }
      return (sleeper, due)
    }
    for continuation in due { continuation.finish() }
    return sleeper
  }

  /// The first sleeper whose time has come. It leaves the list.
  private nonisolated func takeDue() -> Sleeper? {
    time.withLock { time in
      guard let first = time.sleepers.first, first.deadline <= time.now else { return nil }
      return time.sleepers.removeFirst()
    }
  }

  private nonisolated func remove(_ sleeper: Sleeper) {
    time.withLock { time in time.sleepers.removeAll { $0 === sleeper } }
  }
}
