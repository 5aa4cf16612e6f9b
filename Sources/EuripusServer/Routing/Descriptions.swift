// SPDX-License-Identifier: MIT

/// The OpenAPI descriptions of a server: of all that it has, and of each view model alone.
package struct Descriptions: Sendable {
  let whole: FixedResponse
  private let byModel: [String: FixedResponse]

  /// - Parameters:
  ///   - whole: the text of the description of all.
  ///   - byModel: those of the view models, by their names.
  package init(whole: [UInt8], byModel: [(name: String, text: [UInt8])]) {
    self.whole = FixedResponse(.description(whole))
    self.byModel = Dictionary(uniqueKeysWithValues: byModel.map { ($0.name, FixedResponse(.description($0.text))) })
  }

  /// - Throws: ``Problem`` if there is no view model of this name.
  func of(_ model: String) throws(Problem) -> FixedResponse {
    guard let found = byModel[model] else {
      throw Problem(
        .notFound, "no view model '\(model)'; expected one of: \(byModel.keys.sorted().joined(separator: ", "))")
    }
    return found
  }
}
