// SPDX-License-Identifier: MIT
// expected error: 'buildExpression' is unavailable: this 'init' takes something: expected 'hosting { … }' around a call of it
import EuripusApp

final class Page: ViewModel {
  @Observed var text = ""

  init(_ text: String) { self.text = text }

  static let surface = Surface<Page>("page", .value("text", \.$text))
}

struct App: EuripusApp {
  var models: Models { Page.init }
}
