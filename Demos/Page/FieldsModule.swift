// SPDX-License-Identifier: MIT
import Euripus

/// The account and the password, below each other, or side by side on a device that is held wide (S2-7).
final class FieldsModule: Module {
  struct Layout: ItemBundle {
    func content(in orientation: Orientation) -> String { orientation.isLandscape ? "beside" : "below" }
  }

  @Observed var account = ""
  @Observed var password = ""
  let accountHint = BundleItem("Input account please.")
  let passwordHint = BundleItem("Input password please.")
  let layout = BundleItem(Layout())
  var items: [ModuleItem] { [accountHint, passwordHint, layout] }

  init() { for text in [$account, $password] { text.keptShort() } }

  static let surface = Surface<FieldsModule>(
    "fields",
    .twoWay("account", \.$account),
    .secret("password", \.$password),
    .value("accountHint", \.accountHint.shown),
    .value("passwordHint", \.passwordHint.shown),
    .value("layout", \.layout.shown))
}
