// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface.Stored where Model == Coordinator {
  /// The path with its pages. They are built again as far as the path still leads.
  static func pages(_ name: String) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name, stage: .made,
      write: { coordinator, parts, writer in
        writer.rawPrefix(label.member)
        writer.beginObject()
        writer.key("path")
        coordinator.path.value.write(to: &writer)
        writer.key("items")
        writer.beginObject()
        let core = coordinator.pages.core
        for entry in core.entries {
          writer.key(entry.key.text)
          parts.below(name, "items", entry.key.text) {
            core.model(of: entry).writeStored(parts, showsKind: true, to: &writer)
          }
        }
        writer.endObject()
        writer.endObject()
      },
      putBack: { coordinator, object, restoration in
        guard let json = object[name] else { return }
        try restoration.below(name) { try coordinator.putBackPages(json, restoration) }
      },
      losses: { coordinator, losses in
        let core = coordinator.pages.core
        for entry in core.entries { core.model(of: entry).addLosses(to: &losses) }
      },
      variables: { coordinator, variables in
        let core = coordinator.pages.core
        for entry in core.entries { if let page = core.madeModel(of: entry) { variables.add(of: page) } }
      })
  }
}

extension Coordinator {
  fileprivate func putBackPages(_ json: JSON, _ restoration: Restoration) throws {
    if let stored = json["path"] {
      try restoration.below("path") {
        guard let path = try restoration.value(stored, as: [String].self), path != self.path.value else { return }
        try restoration.make { go(to: path) }
      }
    }
    try restoration.below("items") {
      for entry in pages.core.entries {
        let page = pages.core.model(of: entry)
        // Nothing is known of a page that has taken its place.
        guard let item = json["items"]?[entry.key.text], item[StoredName.kind] == .string(page.surfaceName)
        else { continue }
        try restoration.below(entry.key.text) { try page.putBack(item, restoration) }
      }
    }
    restoration.look { self.dropGonePages() }
  }
}
