// SPDX-License-Identifier: MIT
import JSONPatching

/// The pages of problems for a browser. They have the demos' stylesheet, and can be read without it.
enum ProblemHTML {
  static func page(_ kind: Problem.Kind) -> String {
    document(
      title: kind.title, where: #"<a class="where" href="/problems">All problems</a>"#,
      """
      <p class="where">\(kind.status) · <code>\(kind.rawValue)</code></p>
        <h1>\(marked(kind.title))</h1>
        <p>\(marked(kind.meaning.why))</p>
        <h2>What to do</h2>
        <p>\(marked(kind.meaning.remedy))</p>
        <h2>What it looks like</h2>
        <pre tabindex="0"><code>\(escaped(kind.example.json.indented))</code></pre>
        <p class="aside">A problem means that nothing has been applied.</p>
      """)
  }

  static func list() -> String {
    let items = Problem.Kind.allCases.map { kind in
      """
      <li><a class="demo" href="\(kind.path)"><strong>\(marked(kind.title))</strong>\
      <span>\(kind.status) · \(kind.rawValue)</span></a></li>
      """
    }
    return document(
      title: "What can go wrong", where: "",
      """
      <h1>What can go wrong</h1>
        <p class="lead">Each problem that this server answers with, what it means, and what to do.</p>
        <ul class="demos">
          \(items.joined(separator: "\n    "))
        </ul>
      """)
  }

  private static func document(title: String, where place: String, _ content: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title)) · Euripus</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/euripus.css">
    </head>
    <body>
    <header class="top">
      <a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28">Euripus</a>
      \(place)
    </header>
    <main class="page">
      \(content)
    </main>
    </body>
    </html>

    """
  }

  /// A text in which what stands between backticks is code.
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
