// SPDX-License-Identifier: MIT
import HTTPListening
import ViewModels

/// The pages of view models with a path of their own. That path and all paths below it have one file.
extension RouteTable {
  /// The routes of all pages except one at the root, with the deepest page first.
  ///
  /// - Throws: ``ServerError/badPage(_:fault:)`` for a page that cannot be served.
  static func pages(of models: [HostedModelType]) throws(ServerError) -> [Route] {
    var owners: [String: String] = [:]
    var pages: [HostedPage] = []
    for model in models {
      guard let page = model.page else { continue }
      if let fault = fault(of: page) { throw .badPage(model.name, fault: fault) }
      if let other = owners.updateValue(model.name, forKey: page.path) {
        throw .badPage(model.name, fault: "the page of '\(other)' is at '\(page.path)' as well")
      }
      if page.path != "/" { pages.append(page) }
    }
    return pages.sorted { $0.depth > $1.depth }.flatMap { page in
      [page.path, page.path + "/{path}"].map { Route(page, PathTemplate($0)) }
    }
  }

  /// A page that is made of a view model's surface, of a server in development. It is not in the description. A file of
  /// the app at its address comes first.
  static let madePage = Route(page: PathTemplate("/models/{name}/page")) { app, call in
    let segments = call.target.segments
    if let answer = try app.files.answer(segments, to: call.request) { return answer }
    if let page = StaticFiles.page(at: segments), let answer = try app.files.answer(page, to: call.request) {
      return answer
    }
    guard let query = FormText.items(call.target.query) else {
      throw Problem(.badRequest, "the query must be UTF-8, percent-encoded")
    }
    let sent = call.target.path(fromSegment: 1).prefix { $0 != "/" }
    return .now(app.files.transient(try app.descriptions.page(of: call.path.name, sentAs: String(sent), query)))
  }

  private static func fault(of page: HostedPage) -> String? {
    if page.path == "/" { return nil }
    let template: PathTemplate
    do { template = try PathTemplate(pattern: page.path) } catch { return error.text }
    if page.path.contains("{") { return "a page has one path, without parameters; got '\(page.path)'" }
    guard let first = template.firstSegment, !reserved.contains(first) else {
      return "the server has '\(page.path)' for itself; expected another path"
    }
    return nil
  }
}

extension HostedPage {
  fileprivate var depth: Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
}

extension Route {
  /// The route of a view model's page. It is not in the description, since its file belongs to the app.
  fileprivate convenience init(_ page: HostedPage, _ path: PathTemplate) {
    self.init(page: path) { app, call in
      guard let answer = try app.files.answer(page.segments, to: call.request) else {
        throw Problem(.notFound, "there is no file '\(page.file)', which is the page of this path")
      }
      return answer
    }
  }
}

extension Application {
  /// The answer at `/` of an app that has no page there: a page for a browser, and for a program the names of the
  /// view models. It is not stored, as files come and go.
  func front(to request: HTTPRequest) throws(Problem) -> HTTPResponse {
    let types = ["application/json", "text/html"]
    guard Accept(request.header("Accept")).best(of: types) == "text/html" else { return models() }
    return files.transient(try frontPage.page(in: files).text)
  }
}
