// SPDX-License-Identifier: MIT
public import Euripus

/// A page of modules: a notice, fields, and buttons that log in as admin with 123456, or register anybody else (S2-10).
public final class PageViewModel: ViewModel {
  let page = ModulePage()
  @Observed var toast = ""
  private let fields = FieldsModule()
  private let buttons = ButtonsModule()
  private lazy var show = Command(self, PageViewModel.showToast, policy: .latest)
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameter sleep: lets the time pass that a toast stays; by default as long as it says.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.sleep = sleep
    // Otherwise a toast would stay for ever once a restart has interrupted its time.
    Observer(self) { page, error in if error != nil { page.toast = "" } }.subscribe(show.error)
    page.top = TextModule("Swiped to the top")
    let modules: [any Module] = [
      TextModule("Start A Journey"), BlankModule(height: 80), fields, BlankModule(height: 10), buttons,
    ]
    for module in modules { page.append(module) }
    buttons.register.bundle.pressed.handle(self) { page, _ in
      if page.fields.account != "admin" { page.show.execute("Register Done.") }
    }
    buttons.login.bundle.pressed.handle(self) { page, _ in
      if page.fields.account == "admin" && page.fields.password == "123456" { page.show.execute("Login Succeed.") }
    }
    page.didLoad()
  }

  private func showToast(_ text: String) async throws {
    toast = text
    try await sleep(.seconds(4))
    toast = ""
  }

  public static let surface = Surface<PageViewModel>(
    "page",
    about: "A page of modules, each with a view model of its own: a notice, fields, and buttons.",
    .modules("modules", \.page, of: TextModule.self, BlankModule.self, FieldsModule.self, ButtonsModule.self),
    .value("toast", \.$toast),
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
