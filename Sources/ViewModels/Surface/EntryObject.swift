// SPDX-License-Identifier: MIT
import ObservableCore

/// An object that belongs to an entry of a view model. The view model has no property for it, so its graph
/// keeps it.
enum EntryObject {
  /// The object of a view model's entry. It is made once.
  ///
  /// - Parameter what: the entry, as in "the command 'save'", for the message about a use outside a session.
  static func named<Object: AnyObject>(
    _ name: String, of model: some AnyObject, _ what: @autoclosure () -> String, make: () -> Object
  ) -> Object {
    guard let objects = Graph.entered?.attachments.objects else {
      stopProgram(
        "\(what()) was reached outside a session", expected: "its view model to be used by its session alone",
        remedy: "in a test make it with 'ModelDriver'")
    }
    if let object = objects.value(of: model)?[name] as? Object { return object }
    // Making it may make the objects of other entries.
    let object = make()
    objects.change(of: model) { $0[name] = object }
    return object
  }
}
