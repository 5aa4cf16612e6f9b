// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

@testable import ObservableCore

/// A view model, and the same one after a restart.
enum Restoring {
  static func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

  static func stored(_ model: any HostedModel) -> String {
    var writer = JSONWriter()
    model.writeStored(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func shown(_ model: any HostedModel) -> String {
    var writer = JSONWriter()
    model.writeState(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The state that a client sees now.
  static func state(_ model: any HostedModel) throws -> JSON {
    _ = model.stamp(.random(in: 1...1_000_000))
    return try read(shown(model))
  }

  /// The view model that is made from the model's stored state.
  static func restart<Model: ViewModel>(
    _ model: any HostedModel, _ make: @escaping @Sendable () throws -> Model
  ) throws -> any HostedModel {
    try restore(stored(model), make)
  }

  static func restore<Model: ViewModel>(
    _ text: String, schema: UInt32? = nil, _ make: @escaping @Sendable () throws -> Model
  ) throws -> any HostedModel {
    let type = HostedModelType.hosting(make)
    return try type.restore(try read(text), schema: schema ?? type.schema, for: "a session")
  }
}
