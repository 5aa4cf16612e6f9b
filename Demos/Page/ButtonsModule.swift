// SPDX-License-Identifier: MIT
import Euripus

/// Two buttons. The page says what pressing them does (S2-2).
final class ButtonsModule: Module {
  struct Button: ItemBundle {
    let title: String
    let pressed = Observer<Void>()

    func content(in orientation: Orientation) -> String { title }
  }

  let register = BundleItem(Button(title: "Register"))
  let login = BundleItem(Button(title: "Login"))
  var items: [ModuleItem] { [register, login] }

  static let surface = Surface<ButtonsModule>(
    "buttons",
    .value("register", \.register.shown),
    .value("login", \.login.shown),
    .action("register", \.register.bundle.pressed),
    .action("login", \.login.bundle.pressed))
}
