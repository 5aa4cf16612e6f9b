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

@Suite struct `A mistake with an address ends the program at its start` {
  private func stopped(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func `of what is computed`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = Computing.surface
    }
    #expect(
      stopped(result).contains(
        "'double' has '.inAddress()', and it is computed, and what is in the address is set as well; expected it after a '.value' or '.twoWay' of an observable, or after a '.nested' coordinator"
      ), "\(stopped(result))")
  }

  @Test func `of a value that is no text, and of what is no value`() async {
    let list = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = Listing.surface
    }
    #expect(
      stopped(list).contains(
        "'words' has '.inAddress()', and the JSON of its type, 'array of string', is not always a string, a number or a boolean"
      ), "\(stopped(list))")
    let action = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = Acting.surface
    }
    #expect(
      stopped(action).contains("'act' has '.inAddress()', and it is no value and no coordinator"),
      "\(stopped(action))")
  }

  @Test func `of two coordinators, and of one without a path for its page`() async {
    let two = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) { _ = Torn.surface }
    #expect(
      stopped(two).contains(
        "surface 'torn' has two coordinators in the address, 'left' and 'right'; expected one, as an address has one path"
      ), "\(stopped(two))")
    let homeless = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = HostedModelType.hosting { Shop() }
    }
    #expect(
      stopped(homeless).contains(
        "'navigation' of 'shop' is in the address, and the page has no path; expected a path for the coordinator's to be below"
      ), "\(stopped(homeless))")
  }

  @Test func `of a row`() async {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = HostedModelType.hosting { Rows() }
    }
    #expect(
      stopped(result).contains(
        "'row' is a part of 'rows' and has '.inAddress()'; expected that in the surface of the view model that is hosted alone"
      ), "\(stopped(result))")
  }
}
