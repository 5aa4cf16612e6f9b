// SPDX-License-Identifier: MIT
import EuripusTesting
import ObservableCore
import Testing
import ViewModels

private final class Computing: ViewModel {
  @Observed var count = 0
  lazy var double = Computed(self) { $0.count * 2 }
  static let surface = Surface<Computing>("computing", .value("double", \.double).inAddress())
}

private final class Listing: ViewModel {
  @Observed var words: [String] = []
  static let surface = Surface<Listing>("listing", .twoWay("words", \.$words).inAddress())
}

private final class Acting: ViewModel {
  func act() {}
  static let surface = Surface<Acting>("acting", .action("act", Acting.act).inAddress())
}

private final class Torn: ViewModel {
  let left = Coordinator()
  let right = Coordinator()
  static let surface = Surface<Torn>(
    "torn", .nested("left", \.left).inAddress(), .nested("right", \.right).inAddress())
}

private final class Row: ViewModel {
  @Observed var isOpen = false
  static let surface = Surface<Row>("row", .twoWay("isOpen", \.$isOpen).inAddress())
}

private final class Rows: ViewModel {
  let rows = KeyedList<Row>()
  static let surface = Surface<Rows>("rows", .list("rows", \.rows))
}

/// A mistake with an address.
private enum Mistake: String, Codable {
  case computed, array, action, twoCoordinators, noPath, row

  /// Makes it.
  func make() {
    switch self {
    case .computed: _ = Computing.surface
    case .array: _ = Listing.surface
    case .action: _ = Acting.surface
    case .twoCoordinators: _ = Torn.surface
    case .noPath: _ = HostedModelType.hosting { Shop() }
    case .row: _ = HostedModelType.hosting { Rows() }
    }
  }
}

@Suite struct `A mistake with an address` {
  @Test(arguments: [
    (
      Mistake.computed,
      "'double' has '.inAddress()', and it is computed, and what is in the address is set as well; expected it after a '.value' or '.twoWay' of an observable, or after a '.nested' coordinator"
    ),
    (
      .array,
      "'words' has '.inAddress()', and the JSON of its type, 'array of string', is not always a string, a number or a boolean"
    ),
    (.action, "'act' has '.inAddress()', and it is no value and no coordinator"),
    (
      .twoCoordinators,
      "surface 'torn' has two coordinators in the address, 'left' and 'right'; expected one, as an address has one path"
    ),
    (
      .noPath,
      "'navigation' of 'shop' is in the address, and the page has no path; expected a path for the coordinator's to be below"
    ),
    (
      .row,
      "'row' is a part of 'rows' and has '.inAddress()'; expected that in the surface of the view model that is hosted alone"
    ),
  ]) fileprivate func `ends the program at its start, with a sentence`(_ mistake: Mistake, _ sentence: String) async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) { [mistake] in
      mistake.make()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(sentence), "\(text)")
  }
}
