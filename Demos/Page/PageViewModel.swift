// SPDX-License-Identifier: MIT
public import Euripus

/// A page of modules: a notice, fields, and buttons that log in as admin with 123456, or register anybody else (S2-10).
public final class PageViewModel: ViewModel {
  let page = ModulePage()
  let toast = Observable("", name: "toast")
  private let fields = FieldsModule()
  private let buttons = ButtonsModule()
  private let show: Command<String, Void>

  /// - Parameter sleep: how long a toast stays; by default as long as it says.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    show = Command<String, Void>(toast, policy: .latest, name: "show") { toast, text, _ in
      try toast().value = text
      try await sleep(.seconds(4))
      try toast().value = ""
    }
    // Nobody else takes away a toast whose time a restart has interrupted.
    Observer(toast) { toast, error in if error != nil { toast.value = "" } }.subscribe(show.error)
    page.top = TextModule("Swiped to the top")
    page.append(TextModule("Start A Journey"))
    page.append(BlankModule(height: 80))
    page.append(fields)
    page.append(BlankModule(height: 10))
    page.append(buttons)
    buttons.register.bundle.pressed.handle(self) { page, _ in page.register() }
    buttons.login.bundle.pressed.handle(self) { page, _ in page.login() }
    page.didLoad()
  }

  private func register() {
    if fields.account.value != "admin" { show.execute("Register Done.") }
  }

  private func login() {
    if fields.account.value == "admin" && fields.password.value == "123456" { show.execute("Login Succeed.") }
  }

  public static let surface = Surface<PageViewModel>(
    "page",
    about: "A page of modules, each with a view model of its own: a notice, fields, and buttons.",
    .modules("modules", \.page, of: TextModule.self, BlankModule.self, FieldsModule.self, ButtonsModule.self),
    .value("toast", \.toast),
    .stored("show", \.show),
    .value("orientation", \.page.orientation),
    .value("visible", \.page.isVisible),
    .value("checks", \.page.checks).about("How many times the content of an item was looked at so far."),
    .value("refreshes", \.page.refreshes).about("How many times it had changed, so that the item was bound."),
    .action("willAppear", \.page.willAppear),
    .action("didAppear", \.page.didAppear),
    .action("willDisappear", \.page.willDisappear),
    .action("didDisappear", \.page.didDisappear),
    .action("rotated", \.page.rotated).about("The device was turned; the value is how it is held now."))
}
