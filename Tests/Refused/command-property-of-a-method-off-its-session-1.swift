// SPDX-License-Identifier: MIT
// expected error: call can throw, but errors cannot be thrown out of a property initializer
// expected warning: an async method has to stay in its session: add .enableUpcomingFeature("NonisolatedNonsendingByDefault") to the swiftSettings of the target, or write 'nonisolated(nonsending)' before 'func'
import ObservableCore

final class Article {
  lazy var publishing = Command(self, Article.publish)
  func publish(_ note: String, _ run: CommandRun) async throws -> Int { 1 }
}
