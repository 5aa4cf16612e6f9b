// SPDX-License-Identifier: MIT
// expected error: call can throw, but errors cannot be thrown out of a property initializer
import ObservableCore

final class Article {
  lazy var publishing = Command(self, Article.publish)
  func publish(_ note: String, _ run: CommandRun) async throws -> Int { 1 }
}
