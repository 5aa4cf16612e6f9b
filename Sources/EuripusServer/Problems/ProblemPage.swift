// SPDX-License-Identifier: MIT
import HTTPListening

/// The page with all kinds of problems: the meaning of each, and what to do (PROTOCOL §1). It can be read
/// without styles.
enum ProblemPage {
  static func response(_ policy: ContentSecurityPolicy) -> HTTPResponse {
    let body = Array(html.utf8)
    return .document("text/html; charset=utf-8", .bytes(body), tag: HTTPResponse.tag(of: body), policy)
  }

  static var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>What can go wrong · Euripus</title>
    <link rel="stylesheet" href="/euripus.css">
    </head>
    <body>
    <main class="page">
    <h1>What can go wrong</h1>
    <p class="lead">A problem means that nothing has been applied. Its <code>type</code> ends with the name of its kind.</p>
    <ul>
    \(Problem.Kind.allCases.map(link).joined(separator: "\n"))
    </ul>
    \(Problem.Kind.allCases.map(section).joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  private static func link(_ kind: Problem.Kind) -> String {
    "<li><a href=\"#\(kind.rawValue)\">\(kind.rawValue)</a>: \(marked(kind.title))</li>"
  }

  private static func section(_ kind: Problem.Kind) -> String {
    """
    <section id="\(kind.rawValue)">
    <h2>\(marked(kind.title))</h2>
    <p><code>\(kind.status) \(kind.rawValue)</code></p>
    <p>\(marked(kind.meaning.why))</p>
    <p>What to do: \(marked(kind.meaning.remedy))</p>
    <pre tabindex="0"><code>\(escaped(kind.example.json.indented))</code></pre>
    </section>
    """
  }

  /// A text with its parts between backticks as code.
  private static func marked(_ text: String) -> String {
    escaped(text).split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 0 ? String(part) : "<code>\(part)</code>"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
