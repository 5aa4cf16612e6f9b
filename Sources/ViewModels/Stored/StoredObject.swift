// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface.Stored {
  /// Several values of the view model under one name, as an object.
  static func object(_ name: String, _ members: [Surface<Model>.Stored]) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name,
      write: { model, parts, writer in
        writer.rawPrefix(label.member)
        writer.beginObject()
        parts.below(name) { for member in members { member.write(model, parts, &writer) } }
        writer.endObject()
      },
      sources: { model in Self.sources(of: members, model) },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        try restoration.below(name) {
          guard case .object = json else {
            throw restoration.unreadable("expected an object for '\(name)', got \(json.kindInWords)")
          }
          for member in members { try member.putBack(model, json, restoration) }
        }
      },
      losses: { model, losses in
        for member in members { member.losses?(model, &losses) }
      },
      variables: { model, variables in
        for member in members { member.variables?(model, &variables) }
      })
  }
  /// The nodes that decide about several entries; `nil` if one of them may change without their telling.
  static func sources(of entries: [Surface<Model>.Stored], _ model: Model) -> [Node]? {
    var sources: [Node] = []
    for entry in entries {
      guard let own = entry.sources?(model) else { return nil }
      sources += own
    }
    return sources
  }
}
