// SPDX-License-Identifier: MIT
import Euripus

/// Does work that has no end of its own, and says whether it is at it.
final class ChoreViewModel: ViewModel {
  private let status = Observable("ready", name: "status")
  private let begin = Observer<Void>()
  private lazy var working = Command<Void, Void>(self, name: "working") { _, _, _ in
    try await Task.sleep(for: .seconds(86_400))
  }

  init() {
    begin.handle(self) { chore, _ in
      chore.status.value = "working"
      chore.working.execute(())
    }
  }

  func didInterrupt(_ command: String) { status.value = "interrupted" }

  static let surface = Surface<ChoreViewModel>(
    "chore", .value("status", \.status), .action("begin", \.begin), .command("working", \.working))
}
