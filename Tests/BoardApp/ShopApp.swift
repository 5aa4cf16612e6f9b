// SPDX-License-Identifier: MIT
import EuripusApp

/// The app of the page on routes (`Documentation/ROUTES.md`). Nothing starts it: it is here so that its code
/// compiles.
struct ShopApp: EuripusApp {
  static let orders = Orders()
  var models: Models { hosting { ShopViewModel(Self.orders) } }
  var routes: [AppRoute] { shopRoutes(Self.orders) }
}

actor Orders {
  private(set) var count = 0
}

final class ShopViewModel: ViewModel {
  let orders: Orders

  init(_ orders: Orders) { self.orders = orders }

  static let surface = Surface<ShopViewModel>("shop")
}

func shopRoutes(_ orders: Orders) -> [AppRoute] {
  [.get("/orders") { _ in .text("\(await orders.count)") }]
}
