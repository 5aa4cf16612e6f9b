// SPDX-License-Identifier: MIT
package import ArgumentParser

/// The commands of `euripus` for who writes an app. No app has them, so a server that is released has none of their code.
package enum Tools {
  package static var commands: [any ParsableCommand.Type] { [New.self, Dev.self] }
}
