// SPDX-License-Identifier: MIT
// expected error: 'buildExpression' is unavailable: a line is the '.init' of a class that is a 'ViewModel', or 'hosting { … }'
import EuripusApp

final class Page {
  var text = ""
}

struct App: EuripusApp {
  var models: Models { Page.init }
}
