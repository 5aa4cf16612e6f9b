// SPDX-License-Identifier: MIT

/// The resources whose paths have one form, with their routes.
package final class Resource: Sendable {
  package let template: PathTemplate
  package let routes: [Route]
  /// The methods of the resource, for `Allow`: HEAD wherever there is GET, and OPTIONS everywhere.
  let methods: [String]
  /// The resource's number in the table. Requests carry it as a mark (``RequestLabel``).
  let number: Int

  init(_ template: PathTemplate, _ routes: [Route], number: Int) {
    (self.template, self.routes, self.number) = (template, routes, number)
    methods = Self.names(routes)
  }

  /// The methods of one of its paths, by the view model's declarations there. Without a declaration, all
  /// methods.
  func methods(_ declarations: [Declaration]) -> [String] {
    let taken = routes.filter { route in declarations.contains { $0.takes(route) } }
    return taken.isEmpty ? methods : Self.names(taken)
  }

  private static func names(_ routes: [Route]) -> [String] {
    var known = Set(routes.map(\.method)).union([.options])
    if known.contains(.get) { known.insert(.head) }
    return RequestMethod.allCases.filter(known.contains).map(\.rawValue)
  }

  /// The route for a method; `nil` for an unknown one, and for OPTIONS, which has the same answer at all
  /// resources.
  func route(_ method: RequestMethod?) -> Route? {
    let method = method == .head ? .get : method
    return routes.first { $0.method == method }
  }

  /// Whether it has an entity tag. A failed condition is answered with that.
  package var hasEntityTag: Bool {
    routes.contains { $0.answers.contains { $0.status == 200 && $0.fields.contains { $0.isEntityTag } } }
  }
}
