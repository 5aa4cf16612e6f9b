// SPDX-License-Identifier: MIT
// expected error: 'buildExpression' is unavailable: a line is a maker of a view model: expected its '.init', or 'hosting { … }'
import EuripusApp

final class Page: ViewModel {
  @Observed var text = ""

  static let surface = Surface<Page>("page", .value("text", \.$text))
}

struct App: EuripusApp {
  var models: Models { Page.self }
}
