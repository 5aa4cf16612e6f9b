// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface.Stored {
  /// A page of modules: its list, and the page's own values.
  static func modules(
    _ name: String, _ page: @escaping @Sendable (Model) -> ModulePage,
    make: (@Sendable (Model) -> RowMaker<any Module>)?
  ) -> Surface<Model>.Stored {
    let list = Self.list(name, { page($0).list }, hasKinds: true, hasVariables: { true }, make: make)
    let about = StoredName.about(name)
    return Surface<Model>.Stored(
      name: name, stage: .made,
      write: { model, parts, writer in
        list.write(model, parts, &writer)
        writer.key(about)
        page(model).writeStored(to: &writer)
      },
      putBack: { model, object, restoration in
        try list.putBack(model, object, restoration)
        guard let json = object[about] else { return }
        try restoration.below(about) { try page(model).putBack(json, restoration) }
      }, losses: list.losses, variables: list.variables)
  }
}

extension ModulePage {
  /// The page's own values; the property gives the same observables at each call.
  fileprivate var values: [(name: String, Observable<Bool>)] {
    [("loaded", loaded), ("near", near), ("visible", visible)]
  }
  fileprivate var counts: [(name: String, Observable<Int>)] { [("checks", checkCount), ("refreshes", refreshCount)] }

  func writeStored(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in values {
      writer.key(name)
      writer.bool(value.value)
    }
    for (name, count) in counts {
      writer.key(name)
      writer.integer(count.value)
    }
    writer.key("orientation")
    held.value.write(to: &writer)
    writer.key("jumpedTo")
    target.value.write(to: &writer)
    writer.key("numbers")
    writer.beginObject()
    // Sorted, so that the stored text is always the same.
    for (kind, number) in numbers.sorted(by: { $0.key < $1.key }) {
      writer.key(kind)
      writer.integer(number)
    }
    writer.endObject()
    writer.endObject()
  }

  func putBack(_ json: JSON, _ restoration: Restoration) throws {
    for (name, value) in values { try putBack(json, name, into: value, restoration) }
    for (name, count) in counts { try putBack(json, name, into: count, restoration) }
    try putBack(json, "orientation", into: held, restoration)
    try putBack(json, "jumpedTo", into: target, restoration)
    guard case .object(let members)? = json["numbers"] else { return }
    try restoration.below("numbers") {
      for member in members {
        try restoration.below(member.name) {
          let number = try restoration.value(member.value, as: Int.self)
          restoration.assign { self.numbers[member.name] = number }
        }
      }
    }
  }

  private func putBack<Value: JSONRepresentable>(
    _ json: JSON, _ name: String, into observable: Observable<Value>, _ restoration: Restoration
  ) throws {
    guard let stored = json[name] else { return }
    try restoration.below(name) {
      if let value = try restoration.value(stored, as: Value.self) { restoration.put(value, into: observable) }
    }
  }
}

extension Module {
  /// Writes each item's memory of its content, as an array.
  func writeStoredItems(to writer: inout JSONWriter) {
    let items = items
    if items.isEmpty { return }
    writer.key(StoredName.items)
    writer.beginArray()
    for item in items { item.writeStored(to: &writer) }
    writer.endArray()
  }

  /// Puts the items back. An item without a stored one keeps what it has.
  func putBackItems(_ json: JSON, _ restoration: Restoration) throws {
    guard let stored = json[StoredName.items] else { return }
    try restoration.below(StoredName.items) {
      for (index, item) in items.enumerated() {
        guard let json = stored[index] else { return }
        try restoration.below("\(index)") { try item.putBack(json, restoration) }
      }
    }
  }
}
