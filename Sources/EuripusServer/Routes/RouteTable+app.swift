// SPDX-License-Identifier: MIT
import ViewModels

extension RouteTable {
  /// The routes of a server in this order: its own, the app's, the pages of view models, and the files.
  ///
  /// - Parameter isInDevelopment: whether there is a page for each view model.
  /// - Throws: ``ServerError`` for a route or a page that cannot be served.
  static func with(
    _ own: [AppRoute], pagesOf models: [HostedModelType] = [], isInDevelopment: Bool = false
  ) throws(ServerError) -> RouteTable {
    let pages = try (isInDevelopment ? [madePage] : []) + pages(of: models)
    if own.isEmpty, pages.isEmpty { return .all }
    let routes = try checked(own)
    return RouteTable(
      server + sessions + flow + uploads + downloads + routes.sorted { $0.path.isNarrower(than: $1.path) } + pages
        + files)
  }

  /// The first parts of the server's own paths.
  static let reserved = Set((server + sessions + flow).compactMap(\.path.firstSegment))

  private static func checked(_ own: [AppRoute]) throws(ServerError) -> [Route] {
    var known: [[String]: AppRoute] = [:]
    var routes: [Route] = []
    for route in own {
      let path: PathTemplate
      do { path = try PathTemplate(pattern: route.path) } catch { throw .badRoute(route.name, fault: error.text) }
      if let first = path.firstSegment, reserved.contains(first) {
        throw .badRoute(route.name, fault: "the server has '/\(first)' and what is below it for itself")
      }
      if let fault = route.limitFault { throw .badRoute(route.name, fault: fault) }
      if let other = known[path.shape], other.path != route.path {
        throw .badRoute(route.name, fault: "'\(other.name)' has the same paths; expected the same names of parameters")
      }
      if routes.contains(where: { $0.path == path && $0.method == route.method }) {
        throw .badRoute(route.name, fault: "it is there twice")
      }
      known[path.shape] = route
      routes.append(Route(route, path))
    }
    return routes
  }
}

extension AppRoute {
  fileprivate var limitFault: String? {
    if let maxBodyBytes, !(0...1_073_741_824).contains(maxBodyBytes) {
      return "expected a maxBodyBytes from 0 to 1073741824, got \(maxBodyBytes)"
    }
    return time > .zero ? nil : "expected a time above zero, got \(time)"
  }
}
