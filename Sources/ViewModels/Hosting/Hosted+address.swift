// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Hosted {
  var address: String? { livingAddress.map { address in graph.enter { address.text(of: model) } } }

  func addressChange(since: UInt64) -> AddressHistory? { livingAddress?.change(since: since, in: state) }

  /// Prepares a change of the address. It sets the values first, and goes to the path when they have settled. Nothing
  /// comes of it where the view model has nothing in the address: its page may say where it lies all the same.
  func prepareAddress(_ json: JSON) throws(SurfaceError) -> PreparedChange {
    let address = try home.read(json)
    guard let living = livingAddress else { return PreparedChange {} }
    let model = model
    var change = PreparedChange { try living.setItems(of: model, to: address) }
    change.whenSettled = { living.go(model, to: address) }
    return change
  }

  /// Makes a view model at an address, as one transaction.
  static func make(
    at address: Address, home: AddressHome, _ make: () throws -> Model
  ) throws -> (Model, LivingAddress<Model>?) {
    try transactionInSteps { settle in
      let model = try make()
      try settle()
      guard let living = LivingAddress(model, home: home) else { return (model, nil) }
      try living.setItems(of: model, to: address)
      try settle()
      living.go(model, to: address)
      return (model, living)
    }
  }
}
