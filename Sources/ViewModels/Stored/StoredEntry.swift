// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface {
  /// The stored side of an entry: how it is written, and how it is put back.
  // A class, since each change goes through all of them: a copy of a struct would count several references.
  final class Stored: Sendable {
    /// - Parameter parts: the keeper of the parts; `nil` where the state is written as one.
    typealias Write = @Sendable (Model, _ parts: PartsKeeper?, inout JSONWriter) -> Void

    let name: String
    /// The stage of putting back. It comes before the stages of entries that may be computed from this one, or
    /// made by code that reads it.
    let stage: PuttingBackStage
    /// Writes the entry's members, or none, into the object that is open.
    let write: Write
    /// Reads the entry's members from the whole object.
    let putBack: @Sendable (Model, JSON, Restoration) throws -> Void
    /// The nodes that decide about it; `nil` if it may change without their telling.
    let sources: (@Sendable (Model) -> [Node]?)?
    /// Adds the secrets and the command runs that a restart would end.
    let losses: (@Sendable (Model, inout RestartLosses) -> Void)?
    /// Adds the values of the stored variables, which are no part of the graph.
    let variables: (@Sendable (Model, inout StoredVariables) -> Void)?
    /// The same entry without the order of its rows; `nil` for an entry that is no list.
    let withoutOrder: (@Sendable () -> Stored)?

    init(
      name: String, stage: PuttingBackStage = .value, write: @escaping Write,
      sources: (@Sendable (Model) -> [Node]?)? = nil,
      putBack: @escaping @Sendable (Model, JSON, Restoration) throws -> Void,
      losses: (@Sendable (Model, inout RestartLosses) -> Void)? = nil,
      variables: (@Sendable (Model, inout StoredVariables) -> Void)? = nil,
      withoutOrder: (@Sendable () -> Stored)? = nil
    ) {
      self.name = name
      self.stage = stage
      self.write = write
      self.sources = sources
      self.putBack = putBack
      self.losses = losses
      self.variables = variables
      self.withoutOrder = withoutOrder
    }
  }

  enum PuttingBackStage: CaseIterable { case value, nested, made }
}

extension Surface.Stored {
  /// A value, stored if it is a source.
  static func value<Value: JSONRepresentable>(
    _ name: String, _ node: @escaping @Sendable (Model) -> ObservableValue<Value>
  ) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    let about = StoredName.about(name)
    return Surface<Model>.Stored(
      name: name,
      write: { model, _, writer in
        let node = node(model)
        guard let source = node.source else { return }
        writer.rawPrefix(label.member)
        source.value.write(to: &writer)
        node.writeProgress(about, to: &writer)
      },
      sources: { model in
        let node = node(model)
        // Nobody is told of a combiner's progress.
        guard node.source != nil else { return [] }
        return node.strategyProgress == nil ? [node] : nil
      },
      putBack: { model, object, restoration in
        guard let source = node(model).source else { return }
        if let json = object[name] {
          try restoration.below(name) {
            if let value = try restoration.value(json, as: Value.self) { restoration.put(value, into: source) }
          }
        }
        try source.putBackProgress(object[about], restoration)
      })
  }

  /// A combiner without a value.
  static func progress(_ name: String, _ node: @escaping @Sendable (Model) -> Node) -> Surface<Model>.Stored {
    let about = StoredName.about(name)
    return Surface<Model>.Stored(
      name: name,
      write: { model, _, writer in node(model).writeProgress(about, to: &writer) },
      putBack: { model, object, restoration in try node(model).putBackProgress(object[about], restoration) })
  }

  /// A secret text: the state has only whether it was set.
  static func secret(_ name: String, _ node: @escaping @Sendable (Model) -> Observable<String>) -> Surface<Model>.Stored
  {
    let about = OutputLabel(StoredName.about(name))
    return Surface<Model>.Stored(
      name: name,
      write: { model, _, writer in
        guard !node(model).value.isEmpty else { return }
        writer.rawPrefix(about.member)
        writer.bool(true)
      },
      sources: { [node($0)] },
      putBack: { model, object, restoration in
        let secret = node(model)
        secret.becomeSecret()
        if object[about.name] == true { restoration.lose(secret, about.name) }
      },
      losses: { model, losses in
        let secret = node(model)
        if !secret.value.isEmpty { losses.secrets.append(secret) }
      })
  }

  /// A variable of the view model.
  static func variable<Value: JSONRepresentable>(
    _ name: String, _ property: any ReferenceWritableKeyPath<Model, Value> & Sendable
  ) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name,
      write: { model, _, writer in
        writer.rawPrefix(label.member)
        model[keyPath: property].write(to: &writer)
      },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        try restoration.below(name) {
          if let value = try restoration.value(json, as: Value.self) {
            restoration.assign { model[keyPath: property] = value }
          }
        }
      }, variables: { model, variables in variables.add(model, property) })
  }

  static func nested<Child: ViewModel>(_ name: String, _ child: @escaping @Sendable (Model) -> Child)
    -> Surface<Model>.Stored
  {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name, stage: .nested,
      write: { model, parts, writer in
        writer.rawPrefix(label.member)
        parts.below(name) { child(model).writeStored(parts, to: &writer) }
      },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        try restoration.below(name) { try child(model).putBack(json, restoration) }
      },
      losses: { model, losses in child(model).addLosses(to: &losses) },
      variables: { model, variables in variables.add(of: child(model)) })
  }

  /// - Parameter make: makes the child again; `nil` if the surface does not say how.
  static func optional<Child: ViewModel>(
    _ name: String, _ node: @escaping @Sendable (Model) -> ObservableValue<Child?>,
    make: (@Sendable (Model) -> Child)?
  ) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    return Surface<Model>.Stored(
      name: name, stage: .made,
      write: { model, parts, writer in
        writer.rawPrefix(label.member)
        guard let child = (try? node(model).get()) ?? nil else { return writer.null() }
        parts.below(name) { child.writeStored(parts, to: &writer) }
      },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        let node = node(model)
        // The value of a formula may depend on values that are put back.
        if node.source == nil { restoration.putBack() }
        let present = (try? node.get()) ?? nil
        try restoration.below(name) {
          if case .null = json {
            if let source = node.source { restoration.put(nil, into: source) }
          } else if let present {
            if let source = node.source { restoration.put(present, into: source) }
            try present.putBack(json, restoration)
          } else if let source = node.source {
            guard let make else {
              throw restoration.unreadable(
                "a view model was here, and the surface does not say how it is made again; "
                  + "expected '.nested(\"\(name)\", …) { \(Model.self) in … }' to return one")
            }
            let made = try restoration.make { make(model) }
            restoration.put(made, into: source)
            try made.putBack(json, restoration)
          }
        }
      },
      losses: { model, losses in ((try? node(model).get()) ?? nil)?.addLosses(to: &losses) },
      variables: { model, variables in
        if let child = (try? node(model).get()) ?? nil { variables.add(of: child) }
      })
  }
}

extension ObservableValue {
  /// Itself, if it is an observable from which others are computed, and no secret.
  var source: Observable<Value>? {
    isSource && !isSecret ? self as? Observable<Value> : nil
  }
}

extension Node {
  func writeProgress(_ name: String, to writer: inout JSONWriter) {
    guard let progress = strategyProgress else { return }
    writer.key(name)
    switch progress {
    case .first(let hasRun): writer.bool(hasRun)
    case .all(let hasNotified): hasNotified.write(to: &writer)
    }
  }

  func putBackProgress(_ json: JSON?, _ restoration: Restoration) throws {
    switch json {
    case nil: return
    case .bool(let hasRun): restoration.gather { self.putBack(.first(hasRun: hasRun)) }
    case .some(let json):
      guard let hasNotified = try restoration.value(json, as: [Bool].self) else { return }
      restoration.gather { self.putBack(.all(hasNotified: hasNotified)) }
    }
  }
}
