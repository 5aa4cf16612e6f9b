// SPDX-License-Identifier: MIT
import EuripusServer
package import JSONPatching
package import ViewModels

/// A page for a view model, made from its surface: inputs by the types and rules of values, buttons for actions, lists
/// with their rows, and what a command says of itself. It is HTML with the attributes of CLIENT.md.
///
/// The same surface always gives the same text.
package struct ModelPage {
  private let model: SurfaceDescription
  /// Whether several people may write the same text. The page has a question then for one who was overtaken.
  private let isShared: Bool

  /// The command that prints the page as a file.
  private let command: String

  /// - Parameter program: the name of the program that hosts the view model.
  package init(_ model: HostedModelType, program: String = ProgramName.current) {
    (self.model, isShared) = (model.description, model.owner != .client)
    command = "\(program) page \(model.name)"
  }

  /// The page as a file of the app.
  ///
  /// - Parameter params: the parameters with which it opens a session; `nil` for examples of those that are needed.
  package func file(params: JSON?) -> String {
    var comments = ["Printed by `\(command)`. Nothing else reads or writes it: change it as you like."]
    var params = params
    if params == nil, let declared = model.params, PageParams(declared).params(in: []) == nil {
      params = PageParams(declared).example
      comments.append("The session's parameters are in data-vm-params. These are examples: write your own.")
    }
    return html(comments, [root(params, at: model.addressStart)])
  }

  /// The page as a server in development serves it, for a view model without one.
  ///
  /// - Parameter query: the parameters of the session, by their names. Where one that is needed is missing, the page
  ///   asks for it.
  package func served(_ query: [(name: String, value: String)]) -> String {
    let comments = ["Made from the surface of the view model. `\(command)` prints it as a file."]
    guard let params = model.params.map(PageParams.init) else { return html(comments, [root(nil, at: nil)]) }
    guard let given = params.params(in: query) else {
      return html(
        comments,
        [
          .tag(
            "main", ["class": "page sheet"],
            [
              .tag("h1", [:], title), .tag("p", ["class": "lead"], "A session of this view model has parameters."),
              params.form("Open a session", level: 2),
            ])
        ])
    }
    let again = Markup.tag("footer", ["class": "page sheet"], [params.form("Open with other parameters", level: 2)])
    return html(comments, [root(given, at: nil), again])
  }

  private var title: String { PageWords.of(model.name) }

  private func root(_ params: JSON?, at place: String?) -> Markup {
    let part = PagePart(model, PageScope(within: [model.identity], isShared: isShared))
    let about = model.about.map { Markup.tag("p", ["class": "lead"], $0) }
    return .tag(
      "main",
      [
        "class": "page sheet", "data-vm-root": model.name, "data-vm-at": place,
        "data-vm-params": params.map { "=" + String(decoding: JSON.text(of: $0), as: UTF8.self) },
      ],
      [.tag("h1", [:], title)] + [about].compactMap(\.self) + [Self.withoutScript] + part.content + [Self.connection])
  }

  private func html(_ comments: [String], _ body: [Markup]) -> String {
    let script = body.contains(where: \.needsScript) ? "/euripus-page.js" : nil
    let head: [Markup] = [
      .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag("meta", ["name": "color-scheme", "content": "light dark"]),
      .tag("title", [:], title),
      .tag("script", ["type": "module", "src": "/euripus.js"]),
    ]
    let files: [Markup] = [
      script.map { .tag("script", ["type": "module", "src": $0]) },
      .tag("link", ["rel": "icon", "href": "/favicon.svg", "type": "image/svg+xml"]),
      .tag("link", ["rel": "stylesheet", "href": "/euripus-page.css"]),
    ].compactMap(\.self)
    let page = Markup.tag("html", ["lang": "en"], [.tag("head", [:], head + files), .tag("body", [:], body)])
    return "<!doctype html>\n" + comments.map { Markup.comment($0).printed() }.joined() + page.printed()
  }

  private static let withoutScript = Markup.tag(
    "noscript", [:],
    [.tag("p", ["class": "notice"], "This page needs JavaScript to reach its view model on the server.")])

  private static let connection = Markup.tag(
    "div", ["class": "connection"],
    [
      .tag(
        "p",
        [
          "role": "status", "data-vm-status": "", "data-connecting": "Connecting…",
          "data-retrying": "The connection is lost. The page tries again.",
          "data-offline": "You are offline. What you type is kept, and sent later.",
          "data-expired": "Your session has ended. This is a new one.", "data-signed-out": "You are signed out.",
          "data-sign-in-needed": "Sign in to see this page.",
          "data-action-disabled": "That is not possible now.",
        ]),
      .tag("span", ["class": "countdown", "data-vm-countdown": "", "data-before": "Next try in ", "data-after": " s"]),
      .tag("button", ["type": "button", "class": "small quiet", "data-vm-retry": "", "hidden": ""], "Try now"),
    ])
}
