// SPDX-License-Identifier: MIT

/// The resources whose paths have one form, with the routes that they have.
package final class Resource: Sendable {
  package let template: PathTemplate
  package let routes: [Route]
  /// The methods that it knows, for `Allow`: HEAD wherever GET is, OPTIONS everywhere.
  let methods: [String]
  /// Its number in the table, as it travels with a request (``RequestLabel``).
  let number: Int

  init(_ template: PathTemplate, _ routes: [Route], number: Int) {
    (self.template, self.routes, self.number) = (template, routes, number)
    methods = Self.names(routes)
  }

  /// The same of one of its paths, by the declarations of view models there: all methods where nothing is declared.
  func methods(_ declarations: [Declaration]) -> [String] {
    let taken = routes.filter { route in declarations.contains { $0.takes(route) } }
    return taken.isEmpty ? methods : Self.names(taken)
  }

  private static func names(_ routes: [Route]) -> [String] {
    var known = Set(routes.map(\.method)).union([.options])
    if known.contains(.get) { known.insert(.head) }
    return RequestMethod.allCases.filter(known.contains).map(\.rawValue)
  }

  /// The route of a method; `nil` for one that it does not know, and for OPTIONS, which is answered for all alike.
  func route(_ method: RequestMethod?) -> Route? {
    let method = method == .head ? .get : method
    return routes.first { $0.method == method }
  }

  /// Whether it has an entity tag, with which a condition that fails is answered.
  package var hasEntityTag: Bool {
    routes.contains { $0.answers.contains { $0.status == 200 && $0.fields.contains { $0.isEntityTag } } }
  }
}
