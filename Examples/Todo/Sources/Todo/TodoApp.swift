// SPDX-License-Identifier: MIT
import EuripusApp

@main struct TodoApp: EuripusApp {
  var models: Models { TodoViewModel.init }
}
