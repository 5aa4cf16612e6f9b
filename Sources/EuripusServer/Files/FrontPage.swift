// SPDX-License-Identifier: MIT
import Logging
import HTTPListening
import ViewModels

/// The page at `/` of an app that has none there: its view models, each with its page, or with the request that
/// opens a session where the page's file is missing.
struct FrontPage: Sendable {
  private struct Entry: Sendable {
    let name: String
    /// The address of its page.
    let address: String
    /// The path of the page's file.
    let file: [String]
  }

  private let entries: [Entry]
  /// Whether the server makes pages for view models without one.
  private let makesPages: Bool

  init(of models: [HostedModelType], isInDevelopment: Bool) {
    makesPages = isInDevelopment
    entries = models.map { Entry(name: $0.name, address: $0.home.text, file: $0.page?.segments ?? $0.home.segments) }
      .sorted { $0.name < $1.name }
  }

  /// - Throws: `overloaded` if the system lacks a descriptor or memory to look for the pages.
  func page(in files: StaticFiles) throws(Problem) -> HTMLPage {
    var lines: [String] = []
    for entry in entries { lines.append(line(entry, hasPage: try files.response(entry.file) != nil)) }
    return HTMLPage(
      title: "View models",
      content: """
        <h1>View models</h1>
        <p class="lead">This server has no page of its own here. \(lines.isEmpty ? "It hosts no view model." : "It hosts:")</p>
        \(lines.isEmpty ? "" : "<ul>\n\(lines.joined(separator: "\n"))\n</ul>")
        <p>All of it is described for programs as <a href="/openapi.json">OpenAPI</a>, and there is a page for \
        <a href="/problems">each thing that can go wrong</a>.</p>
        """)
  }

  /// The names of view models are of letters, digits and hyphens, and an address is percent-encoded.
  private func line(_ entry: Entry, hasPage: Bool) -> String {
    if hasPage { return "<li><a href=\"\(entry.address)\">\(entry.name)</a></li>" }
    if makesPages {
      return """
        <li><a href="/models/\(entry.name)/page">\(entry.name)</a>, which has no page here: this one is made of its surface, \
        and is there in development alone. <a href="/models/\(entry.name)/openapi.json">Its description</a> is too.</li>
        """
    }
    return """
      <li>\(entry.name), which has no page here: <code>POST /sessions/\(entry.name)</code> opens a session, and \
      <a href="/models/\(entry.name)/openapi.json">its description</a> says what it takes.</li>
      """
  }
}

extension StaticFiles {
  /// The files in which the page at a path may be, where no file has this path.
  ///
  /// - Parameter root: the page of a view model at the root, which has all paths below it, so that no page there is named
  ///   without its ending.
  static func pages(at segments: [String], root: HostedPage?) -> [[String]] {
    guard let root else { return page(at: segments).map { [$0] } ?? [] }
    // A script whose name is misspelled is not that page.
    if MediaType.isOfPart(segments.last ?? "") { return [] }
    return [root.segments, [HostedPage.ofRoot]]
  }
}

extension HostedPage {
  /// The file that is the page at `/` too.
  static let ofRoot = "index.html"

  /// The path of its file in the directory of static files.
  var segments: [String] { file.split(separator: "/").map(String.init) }

  /// Warns of each page whose file is not in the directory of static files: a browser would be told that it is missing.
  static func warn(ofMissingPagesOf models: [HostedModelType], in directory: String, _ logger: Logger) {
    for model in models {
      guard let page = model.page else { continue }
      let names = page.path == "/" ? [page.file, ofRoot] : [page.file]
      if names.contains(where: { RealPath("\(directory)/\($0)").path != nil }) { continue }
      logger.warning(
        "a page is missing",
        metadata: [
          "model": "\(model.name)", "path": "\(page.path)", "expected": "\(directory)/\(page.file)",
          "remedy": "a file of this name, or 'page:' with another one where the view model is hosted",
        ])
    }
  }
}
