// SPDX-License-Identifier: MIT
import EuripusApp

/// A view model whose names on the wire become one name in Swift. It also has texts that Swift writes in
/// another way than JSON.
final class CollidingViewModel: ViewModel {
  enum Sign: String, Codable, CaseIterable, JSONRepresentable {
    case bell = "\u{7}"
    case quoted = "\"\\"
    case back = "\u{8}"
  }

  @Observed var first = 0
  @Observed var second = 0
  @Observed var flag = false
  @Observed var sign = Sign.bell
  let items = KeyedList<RowViewModel>()

  func act() {}
  func run() async throws {}

  static let surface = Surface<CollidingViewModel>(
    "colliding", .twoWay("a-b", \.$first), .twoWay("aB", \.$second), .value("flag", \.$flag), .twoWay("sign", \.$sign),
    .value("cancelStop", \.$flag), .list("items", \.items), .action("do-it", CollidingViewModel.act),
    .action("doIt", CollidingViewModel.act), .action("itemsRowShout", CollidingViewModel.act),
    .action("cancelRun", CollidingViewModel.act), .command("run", CollidingViewModel.run),
    .command("stop", CollidingViewModel.run))
}
