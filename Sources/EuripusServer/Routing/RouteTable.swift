// SPDX-License-Identifier: MIT

/// All routes of the server.
package struct RouteTable: Sendable {
  package let routes: [Route]
  /// In the order of their first routes.
  package let resources: [Resource]

  /// A path below it that is of no form is nothing, and no file.
  private static let reserved = "sessions"

  /// - Parameter routes: the routes, those of files last: they are what nothing else is.
  init(_ routes: [Route]) {
    self.routes = routes
    var templates: [PathTemplate] = []
    for route in routes where !templates.contains(route.path) { templates.append(route.path) }
    resources = templates.enumerated().map { number, template in
      Resource(template, routes.filter { $0.path == template }, number: number)
    }
  }

  /// The resource that a path names, and the open parts of the path; `nil` for a path that names none.
  func find(_ segments: [String]) -> (resource: Resource, match: PathTemplate.Match)? {
    for resource in resources {
      if resource.template == Self.file, segments.first == Self.reserved { return nil }
      if let match = resource.template.match(segments) { return (resource, match) }
    }
    return nil
  }

  package static let file = PathTemplate("/{path}")
}
