// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

final class Basket {
  let prices = Observable([2.0, 3.5])
  let voucher = Observable(0.0)
  private(set) lazy var total = Computed(self) { max(0, $0.prices.value.reduce(0, +) - $0.voucher.value) }
}

/// The Swift of the guide "The core alone", compiled and run.
@Suite struct `The guide on the core` {
  @Test func `shows a total that is told once`() throws {
    var told: [Double] = []
    let basket = Basket()
    let shown = Observer<Double> { told.append($0) }
    basket.total.addObserver(shown)

    try transaction {
      basket.prices.value.append(4.5)
      basket.voucher.value = 1
    }
    #expect(told == [9])
  }
}
