// SPDX-License-Identifier: MIT
import Euripus

/// A guest at a table. A server that was killed has to know the same of its user afterwards.
final class Guest: ViewModel {
  struct Params: Codable, JSONRepresentable { var table: Int }

  private let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "" }
  lazy var table = Computed(self) { $0.context.params(Params.self).table }
  let bill = Observable(0, name: "bill")

  init(_ context: SessionContext) { self.context = context }

  func enter(_ name: String) throws { try context.signIn(User(id: name, name: name, roles: ["guest"])) }

  static let surface = Surface<Guest>(
    "guest", .params(Params.self), .value("name", \.name), .value("table", \.table),
    .value("bill", \.bill).visible(to: .role("guest")), .action("enter", Guest.enter))
}
