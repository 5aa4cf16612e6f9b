// SPDX-License-Identifier: MIT

/// A page of the server's own for people, in HTML. It can be read without styles, and has no scripts.
package struct HTMLPage {
  let title: String
  /// The content of its `main`, which is HTML.
  let content: String

  static let type: StaticString = "text/html; charset=utf-8"

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(Self.escaped(title)) · Euripus</title>
    <link rel="stylesheet" href="/euripus.css">
    </head>
    <body>
    <main class="page">
    \(content)
    </main>
    </body>
    </html>

    """
  }

  /// A text in HTML, also within a value of an attribute.
  package static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
