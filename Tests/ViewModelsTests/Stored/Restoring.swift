// SPDX-License-Identifier: MIT
import JSONPatching
import Testing
import ViewModels

/// A view model, and the same one after a restart.
enum Restoring {
  typealias Make<Model: ViewModel> = @Sendable () throws -> Model

  static func read(_ text: String) throws -> JSON { try JSONReader.read(Array(text.utf8)) }

  /// The view model that is made from the model's stored state.
  static func restart(_ model: any HostedModel, _ make: @escaping Make<some ViewModel>) throws -> any HostedModel {
    try restore(model.storedText, make)
  }

  static func restore(_ text: String, schema: UInt32? = nil, _ make: @escaping Make<some ViewModel>) throws
    -> any HostedModel
  {
    let type = HostedModelType.hosting(make)
    return try type.restore(try read(text), schema: schema ?? type.schema, for: "a session")
  }

  /// Makes changes, restarts the view model, and makes later changes in both. Each time both have to show the same, and
  /// to store the same.
  ///
  /// - Returns: the view model after the restart.
  @discardableResult
  static func expectSame(
    _ changes: [Change], then later: [Change] = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ make: @escaping Make<some ViewModel>
  ) throws -> any HostedModel {
    let model = try hosted(make)
    for change in changes { try model.apply(change) }
    let again = try restart(model, make)
    for change in [nil] + later {
      if let change { for each in [model, again] { try each.apply(change) } }
      #expect(try again.shown == model.shown, sourceLocation: sourceLocation)
      #expect(again.storedText == model.storedText, sourceLocation: sourceLocation)
    }
    return again
  }

  /// Expects a stored state to be refused, with the place in it.
  static func expectRefusal(
    of text: String, at place: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ make: @escaping Make<some ViewModel>
  ) {
    let error = #expect(throws: StoredStateError.self, sourceLocation: sourceLocation) { try restore(text, make) }
    #expect(
      error?.description.contains("'\(place)'") == true, "\(error?.description ?? "")", sourceLocation: sourceLocation)
  }
}
