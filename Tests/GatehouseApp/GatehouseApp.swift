// SPDX-License-Identifier: MIT
import EuripusApp

/// An app in which a visitor signs in by the press of a button, for the browser tests.
@main struct GatehouseApp: EuripusApp {
  static let abstract = "A gate, and counters."

  var models: Models {
    HostedModelType.hosting { GateViewModel($0) }
    HostedModelType.hosting { CounterViewModel($0) }
    HostedModelType.hosting(scope: .room { $0?.name == "anna" }.orInvited) { YardViewModel($0) }
  }
}

/// The gate. It shows the name of a user who has come in.
final class GateViewModel: ViewModel {
  private let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "nobody" }
  let note = Observable("")

  init(_ context: SessionContext) { self.context = context }

  func enter(_ name: String) throws { try context.signIn(User(id: name, name: name)) }
  func leave() throws { try context.signOut() }
  func leaveEverywhere() throws { try context.signOut(isEverywhere: true) }

  static let surface = Surface<GateViewModel>(
    "gate", .value("name", \.name), .twoWay("note", \.note),
    .action("enter", GateViewModel.enter), .action("leave", GateViewModel.leave),
    .action("leaveEverywhere", GateViewModel.leaveEverywhere))
}

/// The parameters of a counter.
struct CounterParams: Codable, JSONRepresentable {
  var start: Int
  var boardName: String?
}

/// A counter that begins where its page says, and shows the languages and the time zone that the page tells of its
/// client.
final class CounterViewModel: ViewModel {
  private let context: SessionContext
  lazy var count = Observable(context.params(CounterParams.self).start)
  lazy var board = Observable(context.params(CounterParams.self).boardName ?? "")
  lazy var language = Computed(self) { try $0.context.languages.get().first ?? "" }
  lazy var zone = Computed(self) { try $0.context.timeZone.get() ?? "" }

  init(_ context: SessionContext) { self.context = context }

  func add() { count.value += 1 }

  static let surface = Surface<CounterViewModel>(
    "counter", .params(CounterParams.self), .value("count", \.count), .value("board", \.board),
    .value("language", \.language), .value("zone", \.zone), .action("add", CounterViewModel.add))
}

/// The yard behind the gate: one person's, who may invite others.
final class YardViewModel: ViewModel {
  private let context: SessionContext
  let note = Observable("")

  init(_ context: SessionContext) { self.context = context }

  func invite() throws -> String { try context.invite() }
  func dismiss() throws { for guest in try context.guests.get() { try context.dismiss(guest.client) } }

  static let surface = Surface<YardViewModel>(
    "yard", .twoWay("note", \.note), .action("invite", YardViewModel.invite),
    .action("dismiss", YardViewModel.dismiss))
}
