// SPDX-License-Identifier: MIT

/// All routes of the server.
package struct RouteTable: Sendable {
  package let routes: [Route]
  /// Whether the routes are for operators, on a listener of their own.
  package let isForOperators: Bool
  /// The resources, in the order of their first routes.
  package let resources: [Resource]
  /// The resources by the first segment of their paths.
  private let resourcesBySegment: [String: [Resource]]
  /// Resources whose paths may begin with any segment. The pages of view models are among them, as they come
  /// after an app's routes.
  private let openResources: [Resource]

  /// The first segments of the paths that the server has for itself.
  let reserved: Set<String>

  /// - Parameter routes: the routes, with those of files last: they take all paths that no other route takes.
  init(_ routes: [Route], isForOperators: Bool = false) {
    self.routes = routes
    self.isForOperators = isForOperators
    var templates: [PathTemplate] = []
    for route in routes where !templates.contains(route.path) { templates.append(route.path) }
    resources = templates.enumerated().map { number, template in
      Resource(template, routes.filter { $0.path == template }, number: number)
    }
    var bySegment: [String: [Resource]] = [:]
    var open: [Resource] = []
    for resource in resources {
      if let segment = resource.template.firstSegment, !resource.routes.contains(where: \.isLate) {
        bySegment[segment, default: []].append(resource)
      } else {
        open.append(resource)
      }
    }
    (resourcesBySegment, openResources) = (bySegment, open)
    reserved = Set(bySegment.filter { $0.value.contains { $0.routes.contains { $0.own == nil } } }.keys)
  }

  /// The resource at a path, and the open parts of the path; `nil` if the path leads to none.
  func find(_ segments: [String]) -> (resource: Resource?, match: PathTemplate.Match) {
    let first = segments.first ?? ""
    for resource in resourcesBySegment[first] ?? [] {
      if let match = resource.template.match(segments) { return (resource, match) }
    }
    // A path below "sessions" that has no known form leads to nothing, and never to a file.
    if first == "sessions" { return (nil, PathTemplate.Match()) }
    for resource in openResources {
      if let match = resource.template.match(segments) { return (resource, match) }
    }
    return (nil, PathTemplate.Match())
  }

  package static let file = PathTemplate("/{path}")
}
