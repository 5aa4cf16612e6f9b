// SPDX-License-Identifier: MIT
import ObservableCore

extension UploadVisit {
  package init(opens: Bool, _ visit: @escaping @Sendable (Uploads) -> Void) {
    self.init(
      opens: opens,
      visitingModel: { model in
        guard let uploads = model as? Uploads else {
          stopProgram(bug: "a request for files came to another view model")
        }
        visit(uploads)
      })
  }
}

extension SurfaceEntry {
  /// Files that clients send (``Uploads``). The state has them as an object with the list `files`, by key; the files go to
  /// `uploads/NAME` of the session.
  public static func uploads(_ name: String, _ property: @escaping Property<Uploads>) -> Self {
    uploads(name, property, condition: nil)
  }

  /// Files that clients send, each refused unless `condition` is true when it begins.
  public static func uploads(
    _ name: String, _ property: @escaping Property<Uploads>,
    when condition: @escaping @Sendable (Model) -> any SurfaceCondition
  ) -> Self {
    uploads(name, property, condition: condition)
  }

  private static func uploads(
    _ name: String, _ property: @escaping Property<Uploads>, condition: Condition?
  ) -> Self {
    part(name, .uploads(Uploads.description), stored: .uploads(name) { property($0) }) { model in
      property(model).part
    } prepare: { model, change, path throws(SurfaceError) in
      guard case .uploads(let visit) = change.verb, path.isEmpty else {
        return try property(model).prepare(change, path)
      }
      return PreparedChange(condition: visit.opens ? condition?(model) : nil) { visit.visit(property(model)) }
    }
  }
}
