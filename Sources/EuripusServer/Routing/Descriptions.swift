// SPDX-License-Identifier: MIT
import Locking

/// The OpenAPI descriptions of a server: one of everything, and one of each view model alone.
///
/// The description of a view model is made when it is first asked for. Together these take as long to make as
/// the whole one, and a server that starts again would be away for that time.
package final class Descriptions: Sendable {
  package typealias Maker = @Sendable () -> [UInt8]

  let whole: FixedResponse
  private let makers: [String: Maker]
  private let made = Locked<[String: FixedResponse]>([:])

  /// - Parameters:
  ///   - whole: the text of the whole description.
  ///   - byModel: makes the text of each view model's description, by its name. It always makes the same text.
  package init(whole: [UInt8], byModel: [(name: String, make: Maker)]) {
    self.whole = FixedResponse(.description(whole))
    makers = Dictionary(uniqueKeysWithValues: byModel.map { ($0.name, $0.make) })
  }

  /// - Parameter sent: the name as it was sent.
  /// - Throws: ``Problem`` if there is no view model of this name.
  func of(_ model: String, sentAs sent: String) throws(Problem) -> FixedResponse {
    guard let make = makers[model] else {
      throw Problem(
        .notFound, "no view model '\(sent)'; expected one of: \(makers.keys.sorted().joined(separator: ", "))")
    }
    if let known = made.withLock({ $0[model] }) { return known }
    // Two requests at once make the same text.
    let response = FixedResponse(.description(make()))
    made.withLock { $0[model] = response }
    return response
  }
}
