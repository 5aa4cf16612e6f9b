// SPDX-License-Identifier: MIT
import Locking

/// The OpenAPI descriptions of a server: of all that it has, and of each view model alone.
///
/// Those of single view models are made when they are first asked for: together they take as long as the one of all, for
/// which a server that is started again would not be there.
package final class Descriptions: Sendable {
  package typealias Maker = @Sendable () -> [UInt8]

  let whole: FixedResponse
  private let makers: [String: Maker]
  private let made = Locked<[String: FixedResponse]>([:])

  /// - Parameters:
  ///   - whole: the text of the description of all.
  ///   - byModel: makes the texts of those of the view models, by their names; always the same ones.
  package init(whole: [UInt8], byModel: [(name: String, make: Maker)]) {
    self.whole = FixedResponse(.description(whole))
    makers = Dictionary(uniqueKeysWithValues: byModel.map { ($0.name, $0.make) })
  }

  /// - Throws: ``Problem`` if there is no view model of this name.
  func of(_ model: String) throws(Problem) -> FixedResponse {
    guard let make = makers[model] else {
      throw Problem(
        .notFound, "no view model '\(model)'; expected one of: \(makers.keys.sorted().joined(separator: ", "))")
    }
    if let known = made.withLock({ $0[model] }) { return known }
    // Two that ask at once make the same.
    let response = FixedResponse(.description(make()))
    made.withLock { $0[model] = response }
    return response
  }
}
