// SPDX-License-Identifier: MIT
import HTTPListening

/// The pages on what can go wrong: one with all kinds of problems, and one for each kind (PROTOCOL §1). They say
/// what a kind means, and what to do.
struct ProblemPages: Sendable {
  let all: FixedResponse
  private let each: [String: FixedResponse]

  init(_ policy: ContentSecurityPolicy) {
    all = Self.response(Self.page, policy)
    each = Self.pages.mapValues { Self.response($0, policy) }
  }

  /// The page of the kind with a name; `nil` if there is no such kind.
  func page(of kind: String) -> FixedResponse? { each[kind] }

  private static func response(_ page: HTMLPage, _ policy: ContentSecurityPolicy) -> FixedResponse {
    let body = Array(page.text.utf8)
    return FixedResponse(.document("\(HTMLPage.type)", .bytes(body), tag: HTTPResponse.tag(of: body), policy))
  }

  /// The page with all kinds. Like the others it is made once for all servers of a process.
  static let page: HTMLPage = {
    let kinds = Problem.Kind.allCases
    return HTMLPage(
      title: "What can go wrong",
      content: """
        <h1>What can go wrong</h1>
        <p class="lead">A problem means that nothing has been applied. Its <code>type</code> ends with the name of its kind.</p>
        <ul>
        \(kinds.map(link).joined(separator: "\n"))
        </ul>
        \(kinds.map { section($0, heading: "h2") }.joined(separator: "\n"))
        """)
  }()

  /// The pages of the kinds, by the names of these.
  private static let pages = Dictionary(
    uniqueKeysWithValues: Problem.Kind.allCases.map { ($0.rawValue, page(of: $0)) })

  private static func page(of kind: Problem.Kind) -> HTMLPage {
    HTMLPage(
      title: kind.title,
      content: """
        \(section(kind, heading: "h1"))
        <p><a href="/problems">All that can go wrong</a></p>
        """)
  }

  private static func link(_ kind: Problem.Kind) -> String {
    "<li><a href=\"#\(kind.rawValue)\">\(kind.rawValue)</a>: \(marked(kind.title))</li>"
  }

  private static func section(_ kind: Problem.Kind, heading: String) -> String {
    """
    <section id="\(kind.rawValue)">
    <\(heading)>\(marked(kind.title))</\(heading)>
    <p><code>\(kind.status) \(kind.rawValue)</code></p>
    <p>\(marked(kind.row.why))</p>
    <p>What to do: \(marked(kind.row.remedy))</p>
    <pre tabindex="0"><code>\(HTMLPage.escaped(kind.example.json.indented))</code></pre>
    </section>
    """
  }

  /// A text with its parts between backticks as code.
  private static func marked(_ text: String) -> String {
    HTMLPage.escaped(text).split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 0 ? String(part) : "<code>\(part)</code>"
    }.joined()
  }
}
