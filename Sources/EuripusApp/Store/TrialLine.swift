// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
import Storing
import ViewModels

/// The fate of one stored session, for a person or a program.
struct TrialLine {
  private let id: String
  /// The name of the view model; `nil` for a session that cannot be read.
  private let model: String?
  let trial: SessionTrial

  /// - Returns: `nil` for a session that is closed.
  init?(_ session: ReadSession, _ types: [String: HostedModelType]) {
    id = session.id
    switch session.session {
    case .failure(let error): (model, trial) = (nil, .refused("\(error)"))
    case .success(.closed): return nil
    case .success(.living(let record)): (model, trial) = (record.model, record.tryOut(on: types))
    }
  }

  /// The line for a person; `nil` if there is nothing to say.
  var text: String? {
    let start = "\(Self.printable(id))  \(Self.printable(model ?? "-"))  "
    switch trial {
    case .refused(let reason): return start + "would be refused: \(Self.printable(reason))"
    case .restored(let trial):
      let parts = [("come out different at", RestorationTrial.Difference.Kind.changed), ("lose", .lost)]
      let said = parts.compactMap { words, kind -> String? in
        let places = trial.differences.filter { $0.kind == kind }.map { Self.printable($0.pointer) }
        if places.isEmpty { return nil }
        let rest = places.count - Self.most
        return "\(words) \(places.prefix(Self.most).joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
      }
      return said.isEmpty ? nil : start + "would \(said.joined(separator: ", and "))"
    }
  }

  /// The most places of a session that a line names.
  private static let most = 5

  /// A text without control characters: a name in a pointer may be the key of a row, which a client has chosen.
  private static func printable(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }

  var json: String {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("model")
    writer.json(model.map { .string($0) } ?? .null)
    writer.key("outcome")
    writer.string(outcome)
    writer.key("reason")
    if case .refused(let reason) = trial { writer.string(reason) } else { writer.null() }
    var restored = RestorationTrial?.none
    if case .restored(let trial) = trial { restored = trial }
    writer.key("migrations")
    writer.json(
      .array(
        (restored?.migrations ?? []).map {
          .object([
            .init(name: "at", value: .string($0.pointer)), .init(name: "model", value: .string($0.model)),
            .init(name: "from", value: .integer(Int64($0.from))), .init(name: "to", value: .integer(Int64($0.to))),
          ])
        }))
    writer.key("differences")
    writer.json(
      .array(
        (restored?.differences ?? []).map {
          .object([
            .init(name: "at", value: .string($0.pointer)), .init(name: "kind", value: .string($0.kind.rawValue)),
          ])
        }))
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private var outcome: String {
    switch trial {
    case .refused: "refused"
    case .restored(let trial) where !trial.differences.isEmpty: "different"
    case .restored(let trial): trial.migrations.isEmpty ? "same" : "migrated"
    }
  }
}

/// The numbers of a store's sessions by their fates.
struct TrialTally {
  private(set) var (same, migrated, different, refused) = (0, 0, 0, 0)
  var closed = 0
  /// The number of objects in the states that each migration would change.
  private var migrations: [String: Int] = [:]

  var count: Int { same + migrated + different + refused }

  mutating func add(_ line: TrialLine) {
    guard case .restored(let trial) = line.trial else {
      refused += 1
      return
    }
    for step in trial.migrations {
      migrations["'\(step.model)' would be migrated from schema \(step.from) to \(step.to)", default: 0] += 1
    }
    if !trial.differences.isEmpty {
      different += 1
    } else if trial.migrations.isEmpty {
      same += 1
    } else {
      migrated += 1
    }
  }

  func lines(_ description: String) -> [String] {
    migrations.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value) times" } + [
      "\(description): of \(count) sessions \(same) would be the same, \(migrated) migrated, \(different) different, "
        + "\(refused) refused; \(closed) are closed"
    ]
  }
}
