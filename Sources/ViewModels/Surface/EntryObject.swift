// SPDX-License-Identifier: MIT
import ObservableCore

/// The object behind an entry of a view model that has no place for it: its graph keeps it.
enum EntryObject {
  /// The object of a view model's entry, made once.
  ///
  /// - Parameter what: the entry, for the sentence on a use outside of a session: "the command 'save'".
  static func named<Object: AnyObject>(
    _ name: String, of model: some AnyObject, _ what: @autoclosure () -> String, make: () -> Object
  ) -> Object {
    guard let objects = Graph.entered?.attachments.objects else {
      stopProgram(
        "\(what()) was reached outside a session", expected: "its view model to be used by its session alone",
        remedy: "in a test make it with 'ModelDriver'")
    }
    if let object = objects.value(of: model)?[name] as? Object { return object }
    // It may make others.
    let object = make()
    objects.change(of: model) { $0[name] = object }
    return object
  }
}
