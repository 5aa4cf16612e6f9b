// SPDX-License-Identifier: MIT
import Locking
import ViewModels

/// The speed of view models' code, by view model and action. Quick code runs on the thread that read its
/// request, and all other code in the ``WorkerPool``.
///
/// Code is trusted only after it has proved quick once. Code that was slow is trusted again after a hundred
/// quick runs in a row. Each time that it is slow again, it needs a hundred times as many.
final class Pace: Sendable {
  /// The place where code runs.
  enum Lane: Sendable {
    /// Code that has proved quick. It runs on the thread that read its request.
    case here
    /// Code that has not run yet, and code that is slow. Both run in the pool.
    case untried, slow
  }

  /// The time from which on code is slow. Slow code would hold up all connections of its loop.
  static let limit: Duration = .milliseconds(20)
  /// The most names that are remembered, more than all surfaces of a program have. Code with any other name
  /// runs in the pool.
  private static let maxNames = 100_000

  private struct Name: Hashable {
    enum Kind {
      case making, stepping, setting, performing, cancelling, going, preferring, sending
    }

    let model: String
    let kind: Kind
    /// The path of a change, which is the same for every row of a list; empty for a view model's making and steps.
    let path: String
  }

  private struct Standing {
    /// The number of quick runs in a row.
    var quickRuns = 0
    /// The number of quick runs in a row that it takes to be trusted.
    var needed = 1
    var isQuick: Bool { quickRuns >= needed }
  }

  private let standings = Locked<[Name: Standing]>([:])

  /// The lane of several changes: the lane of the slowest.
  func lane(of changes: [Change?], on model: String) -> Lane {
    var lane = Lane.here
    let names = changes.compactMap { $0.map { Self.name(of: $0, on: model) } }
    standings.withLock { standings in
      for name in names {
        switch Self.lane(standings[name]) {
        case .here: break
        case .untried: if lane == .here { lane = .untried }
        case .slow: lane = .slow
        }
      }
    }
    return lane
  }

  /// The lane in which a view model is made.
  func laneOfMaking(_ model: String) -> Lane {
    standings.withLock { Self.lane($0[Self.name(ofMaking: model)]) }
  }

  /// Notes the time that some changes took together.
  func note(_ changes: [Change], on model: String, took time: Duration) {
    note(changes.map { Self.name(of: $0, on: model) }, time)
  }

  /// Notes the time that the making of a view model took.
  func noteMaking(_ model: String, took time: Duration) { note([Self.name(ofMaking: model)], time) }

  /// The lane of the next step of a view model's commands, which are judged together. All run in the pool, since
  /// any thread may make a step ready. Until they have proved quick they share its slow threads, so that they
  /// cannot take all.
  func laneOfSteps(_ model: String) -> Lane {
    let lane = standings.withLock { Self.lane($0[Name(model: model, kind: .stepping, path: "")]) }
    return lane == .here ? .untried : .slow
  }

  /// Notes the time that a step of one of a view model's commands took.
  func noteStep(_ model: String, took time: Duration) { note([Name(model: model, kind: .stepping, path: "")], time) }

  private func note(_ names: [Name], _ time: Duration) {
    let isQuick = time < Self.limit
    standings.withLock { standings in
      for name in names {
        var standing = standings[name] ?? Standing()
        if isQuick {
          if standing.isQuick { continue }
          standing.quickRuns += 1
        } else {
          standing.quickRuns = 0
          standing.needed = min(standing.needed * 100, 1_000_000)
        }
        if standings[name] != nil || standings.count < Self.maxNames { standings[name] = standing }
      }
    }
  }

  private static func lane(_ standing: Standing?) -> Lane {
    guard let standing else { return .untried }
    return standing.isQuick ? .here : standing.needed == 1 ? .untried : .slow
  }

  private static func name(ofMaking model: String) -> Name { Name(model: model, kind: .making, path: "") }

  private static func name(of change: Change, on model: String) -> Name {
    let kind: Name.Kind =
      switch change.verb {
      case .set: .setting
      case .perform: .performing
      case .cancel: .cancelling
      case .address: .going
      case .prefer: .preferring
      case .uploads: .sending
      }
    return Name(model: model, kind: kind, path: change.pathWithoutKeys)
  }
}
