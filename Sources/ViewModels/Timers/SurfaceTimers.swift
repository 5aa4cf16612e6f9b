// SPDX-License-Identifier: MIT
import ObservableCore

/// The things that a view model does by itself, at times.
struct SurfaceTimers<Model: AnyObject>: Sendable {
  /// One entry.
  enum Entry: Sendable {
    case wake(@Sendable (Model) -> (String) throws -> Void)
    case every(String, Duration, @Sendable (Model) -> () throws -> Void)
  }

  private(set) var wake: (@Sendable (Model) -> (String) throws -> Void)?
  private(set) var periods: [(name: String, length: Duration, act: @Sendable (Model) -> () throws -> Void)] = []

  init(_ surface: String, _ entries: [Entry], file: StaticString, line: UInt) {
    for entry in entries {
      switch entry {
      case .wake(let act):
        if wake != nil {
          refuseToStart(
            "surface '\(surface)' has '.onWake' twice", expected: "it once",
            remedy: "look at the name that it is given",
            file: file, line: line)
        }
        wake = act
      case .every(let name, let length, let act):
        if length < .seconds(1) {
          refuseToStart(
            "surface '\(surface)' has '.every(\"\(name)\")' of \(length)", expected: "a second or more",
            remedy: "have a command sleep for shorter times", file: file, line: line)
        }
        if periods.contains(where: { $0.name == name }) {
          refuseToStart(
            "surface '\(surface)' has '.every(\"\(name)\")' twice", expected: "each name once", remedy: "rename one",
            file: file, line: line)
        }
        periods.append((name, length, act))
      }
    }
  }

  var isEmpty: Bool { wake == nil && periods.isEmpty }

  /// The timers that a session begins with, or goes on with: periods that are new begin now, and those that are not there any more end.
  func begun(_ stored: Timers, now: WallTime) -> Timers {
    var timers = stored
    for case .every(let name) in stored.due.keys where !periods.contains(where: { $0.name == name }) {
      timers.due[.every(name)] = nil
    }
    if wake == nil { for case .wake(let name) in stored.due.keys { timers.due[.wake(name)] = nil } }
    for (name, length, _) in periods {
      // A time that is farther ahead than the period is that of a longer one, or of a clock that was set back.
      timers.due[.every(name)] = min(stored.due[.every(name)] ?? now + length, now + length)
    }
    return timers
  }

  /// The timers after one of them is done.
  func done(_ timer: SessionTimer, _ timers: Timers, now: WallTime) -> Timers {
    var next = timers
    let due = next.due.removeValue(forKey: timer)
    guard case .every(let name) = timer, let due, let period = periods.first(where: { $0.name == name }) else {
      return next
    }
    // Those that were missed are done with this one.
    let missed = max(0, ((now - due) / period.length).rounded(.down))
    next.due[timer] = due + period.length * (missed + 1)
    return next
  }

  /// Does what a timer is for; nothing for one that the surface does not have any more.
  func act(_ timer: SessionTimer, _ model: Model) throws {
    switch timer {
    case .wake(let name): try wake?(model)(name)
    case .every(let name): try periods.first { $0.name == name }?.act(model)()
    }
  }
}

/// Entries that no client sees: the view model acts by itself.
extension SurfaceEntry {
  /// The method that is called when a time has come that ``SessionContext/wake(at:for:)`` was told, with the name that it was
  /// told; in a transaction of its own.
  ///
  /// - Precondition: the surface is that of a view model that is hosted.
  public static func onWake(_ method: @escaping @Sendable (Model) -> (String) throws -> Void) -> Self {
    Self(timer: .wake(method))
  }

  /// A method that is called again and again, for the first time one period after the session was opened; each time in a transaction of its own.
  ///
  /// The time goes on while the session is in the store alone, and while no server runs: times that were missed are done once, and the next one is where
  /// it would have been. For a session that nobody has used for as long as sessions are kept it ends, and with it the session.
  ///
  /// - Parameters:
  ///   - name: by which a later version of the program knows it again.
  ///   - period: a second or more. A stored session that nobody has open is read and written each time.
  /// - Precondition: the surface is that of a view model that is hosted.
  public static func every(
    _ name: String, _ period: Duration, _ method: @escaping @Sendable (Model) -> () throws -> Void
  ) -> Self {
    Self(timer: .every(name, period, method))
  }
}
