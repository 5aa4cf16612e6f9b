// SPDX-License-Identifier: MIT
import HTTPListening

/// Pages for people: `404.html` and `error.html` of the static files. A browser shows them if the answer to its
/// navigation is a problem. Programs get the problem as JSON, and so do all clients at the server's own paths.
extension StaticFiles {
  /// The page in place of a problem's response, with that response's status and fields.
  ///
  /// - Parameter reserved: the first segments of the server's own paths.
  /// - Returns: `nil` if the client is not a browser that navigates, or if there is no such page.
  func page(inPlaceOf problem: HTTPResponse, for request: HTTPRequest, but reserved: Set<String>) -> HTTPResponse? {
    let types = ["application/problem+json", "text/html"]
    let segments = RequestTarget(request.target, isSecure: request.isSecure)?.segments ?? []
    guard request.method == "GET" || request.method == "HEAD",
      !segments.prefix(1).contains(where: reserved.contains),
      Accept(request.header("Accept")).best(of: types) == "text/html",
      let page = try? response([problem.status == 404 ? "404.html" : "error.html"])
    else { return nil }
    var response = problem
    response.contentType = nil
    response.body = page.body
    let others: Set = ["Cache-Control", "X-Content-Type-Options", "Accept-Ranges"]
    response.fields += page.fields.filter { !others.contains($0.name.description) }
    return response
  }
}
