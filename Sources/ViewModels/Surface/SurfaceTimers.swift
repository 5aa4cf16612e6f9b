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

  /// The timers with which a session begins or continues. New periods begin now, and timers that the surface no
  /// longer has end.
  func begun(_ stored: Timers, now: ContinuousClock.Instant) -> Timers {
    var timers = Timers()
    if wake != nil { timers.wakes = stored.wakes }
    for (name, length, _) in periods {
      // A time that lies farther ahead than the period comes from a longer period, or from a clock that was set
      // back.
      timers.periods[name] = min(stored.periods[name] ?? now + length, now + length)
    }
    return timers
  }

  /// The timers after one of them is done.
  func done(_ timer: SessionTimer, _ timers: Timers, now: ContinuousClock.Instant) -> Timers {
    var next = timers
    switch timer {
    case .wake(let name): next.wakes[name] = nil
    case .every(let name):
      let due = next.periods.removeValue(forKey: name)
      guard let due, let period = periods.first(where: { $0.name == name }) else { return next }
      // Missed times count as done with this one.
      let missed = max(0, ((now - due) / period.length).rounded(.down))
      next.periods[name] = due + period.length * (missed + 1)
    }
    return next
  }

  /// Runs the code of a timer; nothing happens for one that the surface no longer has.
  func act(_ timer: SessionTimer, _ model: Model) throws {
    switch timer {
    case .wake(let name): try wake?(model)(name)
    case .every(let name): try periods.first { $0.name == name }?.act(model)()
    }
  }
}

/// Entries that no client sees: they make the view model act by itself.
extension SurfaceEntry {
  /// The method that is called when the time of a wake has come, with the name that
  /// ``SessionContext/wake(at:for:)`` got. Each call is a transaction of its own.
  ///
  /// If the method throws, or makes the state too long, its changes are undone and the session's log has the error. The
  /// wake is done all the same: the method is not called for it again.
  ///
  /// - Precondition: the surface is that of a view model that is hosted, and has this entry once.
  public static func onWake(_ method: @escaping @Sendable (Model) -> (String) throws -> Void) -> Self {
    Self(timer: .wake(method))
  }

  /// A method that is called once in each period, first one period after the session was opened. Each call is a
  /// transaction of its own.
  ///
  /// Time goes on while the session is in the store alone, and while no server runs. If several calls were missed, the
  /// method is called once for all of them, and next at the time at which it would have been called anyway. A call is
  /// no use of the session: one that no client uses ends after its usual time, and its periods end with it.
  ///
  /// If the method throws, or makes the state too long, its changes are undone and the session's log has the error. The
  /// next call comes at its time.
  ///
  /// - Parameters:
  ///   - name: the name by which a later version of the program knows the period again.
  ///   - period: the time from call to call, a second or more. A stored session that no client has open is read
  ///     and written at each call.
  /// - Precondition: the surface is that of a view model that is hosted. No two of its periods have the same name.
  public static func every(
    _ name: String, _ period: Duration, _ method: @escaping @Sendable (Model) -> () throws -> Void
  ) -> Self {
    Self(timer: .every(name, period, method))
  }
}
