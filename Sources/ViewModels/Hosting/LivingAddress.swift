// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The address of a living view model: the place where it begins, and the first values of its items. An item
/// that has its first value is left out of the address.
struct LivingAddress<Model: ViewModel> {
  let home: AddressHome
  let surface: SurfaceAddress<Model>
  /// The texts of the items as `init` made them, in the order of the surface; `nil` for `null`.
  private let initial: [String?]

  /// - Parameter model: a view model that was just made.
  /// - Returns: `nil` for a view model that has nothing in the address.
  init?(_ model: Model, home: AddressHome) {
    surface = Model.surface.address
    if surface.isEmpty { return nil }
    self.home = home
    initial = surface.items.map { $0.value.text(model) }
  }

  /// The text of the address.
  ///
  /// - Parameter steps: the steps of the path; `nil` for those where the view model is.
  func text(of model: Model?, at steps: [String]? = nil) -> String {
    guard let model else { return home.write(Address(steps: steps ?? [], items: [])) }
    var items: [Address.Item] = []
    for (item, initial) in zip(surface.items, initial) where item.value.isPresent() {
      let text = item.value.text(model)
      if !Self.isSame(text, initial) { items.append(Address.Item(name: item.name, text: text)) }
    }
    return home.write(Address(steps: steps ?? surface.path?.coordinator(model)?.path.value ?? [], items: items))
  }

  /// Sets the values. A value that the address lacks, or that the view model does not take, becomes the one
  /// that `init` gave it.
  func setItems(of model: Model, to address: Address) throws {
    for (item, initial) in zip(surface.items, initial) {
      let given = address.items.first { $0.name.utf8.elementsEqual(item.name.utf8) }
      if let given, try item.value.set(model, given.text) { continue }
      _ = try item.value.set(model, initial)
    }
  }

  /// Goes to the path, as far as it leads. Call it when the values have settled, as they may decide about the
  /// pages.
  func go(_ model: Model, to address: Address) { surface.path?.coordinator(model)?.go(to: address.steps) }

  /// The effect on the browser's history of the changes since a revision; `nil` where nothing of the address
  /// has changed.
  func change(since: UInt64, in state: ObjectPart) -> AddressHistory? {
    func isChanged(_ path: String...) -> Bool { state.lastChange(at: path[...]).map { $0 > since } ?? false }
    var changes = surface.items.filter { isChanged($0.name) }.map(\.history)
    if let path = surface.path, isChanged(path.name, "path") { changes.append(path.history) }
    return changes.contains(.push) ? .push : changes.first
  }

  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.utf8.elementsEqual(other.utf8)
  }
}
