// SPDX-License-Identifier: MIT
// expected error: 'buildExpression' is unavailable: each session has a view model of its own: expected its '.init', or 'hosting { … }' around it
import EuripusApp

final class Page: ViewModel {
  @Observed var text = ""

  static let surface = Surface<Page>("page", .value("text", \.$text))
}

struct App: EuripusApp {
  var models: Models { Page() }
}
