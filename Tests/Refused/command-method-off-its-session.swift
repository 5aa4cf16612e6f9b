// SPDX-License-Identifier: MIT
// expected error: call can throw, but errors cannot be thrown out of a global variable initializer
// expected warning: an async method has to stay in its session: add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'
import ObservableCore
import ViewModels

final class Article: ViewModel {
  func publish(_ note: String, _ run: CommandRun) async throws -> Int { note.count }

  static let surface = Surface<Article>("article", .command("publish", Article.publish))
}
