// SPDX-License-Identifier: MIT
import ObservableCore

/// The entries of a surface that are in the address of its page, in their order.
struct SurfaceAddress<Model: AnyObject>: Sendable {
  struct Item: Sendable {
    let name: String
    let history: AddressHistory
    let value: AddressItem<Model>
  }

  struct Path: Sendable {
    let name: String
    let history: AddressHistory
    let coordinator: @Sendable (Model) -> Coordinator?
  }

  private(set) var items: [Item] = []
  private(set) var path: Path?

  var isEmpty: Bool { items.isEmpty && path == nil }

  /// - Precondition: at most one coordinator is in the address.
  init(_ surface: String, _ entries: [SurfaceEntry<Model>], file: StaticString, line: UInt) {
    for entry in entries {
      guard let description = entry.description, let history = description.history else { continue }
      switch entry.address {
      case .item(let item)?: items.append(Item(name: description.name, history: history, value: item))
      case .path(let coordinator)?:
        if let path {
          refuseToStart(
            "surface '\(surface)' has two coordinators in the address, '\(path.name)' and '\(description.name)'",
            expected: "one, as an address has one path", remedy: "take '.inAddress()' away from one",
            file: file, line: line)
        }
        path = Path(name: description.name, history: history, coordinator: coordinator)
      case .refused?, nil: stopProgram(bug: "'\(description.name)' is in the address, and cannot be")
      }
    }
  }
}

extension SurfaceDescription {
  /// Whether any of its entries is in the address.
  package var hasAddress: Bool { entries.contains { $0.history != nil } }

  /// The first part or row below this view model that has entries in the address.
  func partWithAddress() -> SurfaceDescription? { firstPart { $0.hasAddress } }

  /// The first part or row below this view model that passes a test.
  func firstPart(where isWanted: (SurfaceDescription) -> Bool) -> SurfaceDescription? {
    var seen: Set<Identity> = []
    return firstPart(&seen, where: isWanted)
  }

  private func firstPart(_ seen: inout Set<Identity>, where isWanted: (SurfaceDescription) -> Bool)
    -> SurfaceDescription?
  {
    guard seen.insert(identity).inserted else { return nil }
    for entry in entries {
      let parts: [Reference] =
        switch entry.form {
        case .nested(let child, _), .uploads(let child): [child]
        case .list(.same(let row), _): [row]
        case .list(.kinds(let kinds), _): kinds ?? []
        case .value, .secret, .action, .command: []
        }
      for part in parts.map({ $0() }) {
        if isWanted(part) { return part }
        if let found = part.firstPart(&seen, where: isWanted) { return found }
      }
    }
    return nil
  }
}
