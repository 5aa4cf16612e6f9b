// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore
import ViewModels

/// A shop with everything that an address can have: values of each kind, and shelves within shelves.
final class Shop: ViewModel {
  enum Order: String, CaseIterable, JSONRepresentable { case name, price }

  final class Page: ViewModel {
    @Observed var name: String
    init(_ name: String) { self.name = name }
    static let surface = Surface<Page>("page", .value("name", \.$name).notStored())
  }

  @Observed var tab = "all"
  @Observed var order = Order.name
  @Observed var page = 1
  @Observed var isOpen = false
  @Observed var share = 0.5
  @Observed var note: String?
  @Observed var limit: Int? = 10
  @Observed var isFixed = true
  @Observed var fixed = "fixed"
  @Observed var padding = String(repeating: "long enough that a patch is shorter than the state. ", count: 12)
  let navigation = Coordinator()

  init() {
    navigation.build(self) { _, path in
      // Each step has a page, unless it begins with an x.
      return path.last?.hasPrefix("x") == true ? nil : Page(path.last ?? "root")
    }
    // Another tab begins at the root of its pages, as in many apps.
    Observer(self) { shop, _ in shop.navigation.go(to: []) }.subscribe($tab)
  }

  static let surface = Surface<Shop>(
    "shop",
    .twoWay("tab", \.$tab).inAddress(), .twoWay("order", \.$order).inAddress(.replace),
    .value("page", \.$page).inAddress(), .twoWay("isOpen", \.$isOpen).inAddress(),
    .twoWay("share", \.$share).inAddress(.replace), .twoWay("note", \.$note).inAddress(),
    .twoWay("limit", \.$limit).inAddress(),
    .twoWay("fixed", \.$fixed, when: { !$0.isFixed }).inAddress(),
    .twoWay("isFixed", \.$isFixed),
    .value("padding", \.$padding),
    .nested("navigation", \.navigation, pages: Page.self).inAddress())
}
