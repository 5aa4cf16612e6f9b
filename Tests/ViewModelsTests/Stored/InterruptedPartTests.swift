// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A part of a view model, whose command leaves a word behind when it is interrupted.
private final class Errand: ViewModel, Module {
  private let gate: Gate<Int>
  @Observed var status = "idle"

  init(_ gate: Gate<Int>) { self.gate = gate }

  nonisolated(nonsending) func run() async throws {
    status = "working"
    _ = try await gate.pass()
    status = "done"
  }

  func didInterrupt(_ command: String) { status = "\(command) was interrupted" }

  static let surface = Surface<Errand>("errand", .value("status", \.$status), .command("run", Errand.run))
}

/// A view model that has an errand in each kind of place.
private final class Household: ViewModel {
  let errand: Errand
  let errands = KeyedList<Errand>()
  let navigation = Coordinator()
  let page = ModulePage()

  init(_ gate: Gate<Int>) {
    errand = Errand(gate)
    errands.append(Errand(gate), key: "a")
    navigation.build(self) { _, _ in Errand(gate) }
    page.append(Errand(gate))
    page.didLoad()
  }

  static let surface = Surface<Household>(
    "household", .nested("errand", \.errand), .list("errands", \.errands),
    .nested("navigation", \.navigation, pages: Errand.self), .modules("modules", \.page, of: Errand.self))
}

@Suite(.timeLimit(.minutes(30))) struct `A part of a view model` {
  @Test(arguments: ["errand", "errands/items/a", "navigation/pages/items/root", "modules/items/errand"])
  func `is told of its command that a restart has interrupted, and mends what it left`(place: String) async throws {
    let gate = Gate<Int>()
    let type = HostedModelType.hosting { Household(gate) }
    let household = try await LivingModel(type)
    #expect(await household.take(.perform(place + "/run")) == nil)
    #expect(await household.stored.description.contains("working"))
    let restarted = try await LivingModel(type, stored: household.stored)
    let state = await restarted.state
    let errand = place.split(separator: "/").reduce(state) { $0[String($1)] ?? .null }
    #expect(errand["status"] == "run was interrupted", "got: \(state)")
    #expect(errand["run"]?["error"]?["type"] == "interrupted")
  }
}
