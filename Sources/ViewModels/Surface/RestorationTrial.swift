// SPDX-License-Identifier: MIT
import JSONPatching

/// The result of putting a stored state back on trial: the migrations that ran, and the differences from the
/// stored state.
///
/// It names places, as JSON pointers into the stored state, and no values.
package struct RestorationTrial: Sendable, Equatable {
  /// A migration of an object of the state.
  package struct Migration: Sendable, Hashable {
    package let pointer: String
    /// The name of the surface.
    package let model: String
    package let from: UInt32
    package let to: UInt32
  }

  package struct Difference: Sendable, Equatable {
    package enum Kind: String, Sendable { case changed, lost }
    package let pointer: String
    package let kind: Kind
  }

  package let migrations: [Migration]
  /// The places that differ. Changes by migrations do not count, nor do secrets, which are never stored.
  package let differences: [Difference]
}

/// The notes that are taken while a stored state is put back on trial.
final class RestorationNotes {
  var migrations: [RestorationTrial.Migration] = []
  /// The objects as their migrations have left them; an object comes before those within it.
  var migrated: [(path: [String], json: JSON)] = []
  /// The members which say that a secret was set.
  var secrets: Set<[String]> = []
  /// The state as it would be stored again, before the view model is told of the restart.
  var found: JSON?

  /// Notes the state that a view model would store.
  func note(_ write: (inout JSONWriter) -> Void) throws {
    var writer = JSONWriter(capacity: 512)
    write(&writer)
    found = try JSONReader.read(writer.bytes, limits: .init(depth: 512, nodes: .max))
  }

  /// - Parameter stored: the state that was put back.
  func trial(of stored: JSON) -> RestorationTrial {
    let expected = migrated.reduce(stored) { $0.replacing(at: $1.path[...], by: $1.json) }
    return RestorationTrial(migrations: migrations, differences: differences(expected, found ?? .null, []))
  }

  private func differences(_ expected: JSON, _ found: JSON, _ path: [String]) -> [RestorationTrial.Difference] {
    func here(_ kind: RestorationTrial.Difference.Kind, _ path: [String]) -> [RestorationTrial.Difference] {
      [.init(pointer: "\(JSONPointer(path))", kind: kind)]
    }
    switch (expected, found) {
    case (.object(let members), .object):
      return members.flatMap { member -> [RestorationTrial.Difference] in
        let inner = path + [member.name]
        if member.name == StoredName.schema || secrets.contains(inner) { return [] }
        guard let value = found[member.name] else { return here(.lost, inner) }
        return differences(member.value, value, inner)
      }
    case (.array(let before), .array(let after)) where before.count == after.count:
      return before.indices.flatMap { differences(before[$0], after[$0], path + ["\($0)"]) }
    case (.integer(let before), .number(let after)): return Double(before) == after ? [] : here(.changed, path)
    case (.number(let before), .integer(let after)): return before == Double(after) ? [] : here(.changed, path)
    default: return expected == found ? [] : here(.changed, path)
    }
  }
}

extension JSON {
  /// The same value with another one at a place; it is unchanged if there is no such place.
  fileprivate func replacing(at place: ArraySlice<String>, by json: JSON) -> JSON {
    guard let token = place.first else { return json }
    switch self {
    case .object:
      guard let inner = self[token] else { return self }
      var object = self
      object[token] = inner.replacing(at: place.dropFirst(), by: json)
      return object
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return self }
      elements[index] = elements[index].replacing(at: place.dropFirst(), by: json)
      return .array(elements)
    case .null, .bool, .integer, .number, .string: return self
    }
  }
}
