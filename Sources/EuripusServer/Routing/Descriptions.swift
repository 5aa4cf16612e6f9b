// SPDX-License-Identifier: MIT
import Locking

/// The OpenAPI descriptions of a server: one of everything, and one of each view model alone.
///
/// The description of a view model is made when it is first asked for. Together these take as long to make as
/// the whole one, and a server that starts again would be away for that time.
package final class Descriptions: Sendable {
  package typealias Maker = @Sendable () -> [UInt8]

  /// Makes a page for a view model without one, in HTML, by the parameters in the page's address.
  package typealias PageMaker = @Sendable (_ query: [(name: String, value: String)]) -> String

  let whole: FixedResponse
  private let pages: [String: PageMaker]
  private let makers: [String: Maker]
  private let made = Locked<[String: FixedResponse]>([:])

  /// - Parameters:
  ///   - whole: the text of the whole description.
  ///   - byModel: makes the text of each view model's description, by its name. It always makes the same text.
  ///   - pages: makes the page of each view model, for a server in development.
  package init(
    whole: [UInt8], byModel: [(name: String, make: Maker)], pages: [(name: String, make: PageMaker)] = []
  ) {
    self.pages = Dictionary(pages.map { ($0.name, $0.make) }) { first, _ in first }
    self.whole = FixedResponse(.description(whole))
    makers = Dictionary(uniqueKeysWithValues: byModel.map { ($0.name, $0.make) })
  }

  /// - Parameter sent: the name as it was sent.
  /// - Throws: ``Problem`` if there is no view model of this name.
  func of(_ model: String, sentAs sent: String) throws(Problem) -> FixedResponse {
    guard let make = makers[model] else { throw Self.noModel(sent, makers.keys) }
    if let known = made.withLock({ $0[model] }) { return known }
    // Two requests at once make the same text.
    let response = FixedResponse(.description(make()))
    made.withLock { $0[model] = response }
    return response
  }

  /// The page of a view model, which is made anew each time.
  ///
  /// - Throws: as `of`.
  func page(of model: String, sentAs sent: String, _ query: [(name: String, value: String)]) throws(Problem) -> String {
    guard let make = pages[model] else { throw Self.noModel(sent, pages.keys) }
    return make(query)
  }

  private static func noModel(_ sent: String, _ names: some Sequence<String>) -> Problem {
    Problem(.notFound, "no view model '\(sent)'; expected one of: \(names.sorted().joined(separator: ", "))")
  }
}
