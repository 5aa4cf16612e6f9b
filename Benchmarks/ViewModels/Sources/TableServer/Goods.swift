// SPDX-License-Identifier: MIT
import EuripusApp

/// A long table, behind a window of 40 rows.
final class Goods: ViewModel {
  let rows = KeyedList<Row>(window: 40)
  private let shop: Shop
  private let context: SessionContext
  private var reading: TopicFollowing?
  private let windowChanged = Observer<ListWindow>()

  init(_ shop: Shop, _ context: SessionContext) {
    (self.shop, self.context) = (shop, context)
    reading = context.follow("goods", by: self, Goods.read)
    windowChanged.handle(self) { goods, _ in goods.reading?.retry() }
    if let window = rows.window { windowChanged.subscribe(window) }
  }

  func read() async throws {
    guard let window = try rows.window?.get() else { return }
    let page = try await shop.page(window)
    rows.show(page.goods, from: page.first, of: page.total, key: { "\($0.id)" }) {
      Row($0)
    } update: { row, good in
      row.good = good
    }
  }

  func rename(_ change: Change, _ database: DatabaseTransaction) throws {
    try database.execute("UPDATE goods SET name = ? WHERE id = ?", change.name, change.id)
    context.tell("goods")
  }

  /// A good's new name.
  struct Change: Codable, JSONRepresentable, Sendable {
    var id: Int
    var name: String
  }

  final class Row: ViewModel {
    @Observed var good: Shop.Good
    lazy var name = Computed(self) { $0.good.name }

    init(_ good: Shop.Good) { self.good = good }

    static let surface = Surface<Row>("good", .value("name", \.name))
  }

  static let surface = Surface<Goods>(
    "goods", .list("rows", \.rows, hasWindow: true).orderNotStored(), .action("rename", Goods.rename))
}
