// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

final class Basket: ViewModel {
  @Observed var coupon = ""
  let items = KeyedList<BasketItem>()
  lazy var count = Computed(self) { $0.items.rows.count { !$0.isTaken } }
  @Observed(cutOff: .never) var notice: Notice?
  private var lastKey = 0

  func add(_ name: String) {
    lastKey += 1
    let item = makeItem("\(lastKey)")
    item.name = name
    items.append(item, key: "\(lastKey)")
    notice = makeNotice()
  }

  private func makeItem(_ key: String) -> BasketItem {
    let item = BasketItem()
    item.remove.handle(self) { basket, _ in basket.items.remove(key) }
    return item
  }

  private func makeNotice() -> Notice {
    let notice = Notice()
    notice.close.handle(self) { basket, _ in basket.notice = nil }
    return notice
  }

  static let surface = Surface<Basket>(
    "basket",
    .twoWay("coupon", \.$coupon),
    .list("items", \.items) { basket, key in basket.makeItem(key) },
    .value("count", \.count),
    .nested("notice", \.$notice) { basket in basket.makeNotice() },
    .stored("lastKey", \.lastKey),
    .action("add", Basket.add))
}

final class BasketItem: ViewModel {
  @Observed var name = ""
  @Observed var isTaken = false
  let remove = Observer<Void>()

  static let surface = Surface<BasketItem>(
    "item", .value("name", \.$name), .twoWay("isTaken", \.$isTaken), .action("remove", \.remove))
}

final class Notice: ViewModel {
  let close = Observer<Void>()
  static let surface = Surface<Notice>("notice", .action("close", \.close))
}

final class Page: ViewModel {
  @Observed var text: String
  init(_ text: String) { self.text = text }
  static let surface = Surface<Page>("page", .twoWay("text", \.$text))
}

final class Editor: ViewModel {
  @Observed var isLeft = true
  @Observed var shown = ""
  let (left, right) = (Page("left"), Page("right"))
  private lazy var binding = Binding<Editor, Page>(self).bind(\.$text) { editor, text in editor.shown = text }

  init() { $isLeft.addObserver(Observer(self) { editor, _ in editor.follow() }, replay: true) }

  func didRestore() { follow() }

  private func follow() { binding.model = isLeft ? left : right }

  static let surface = Surface<Editor>(
    "editor", .twoWay("isLeft", \.$isLeft), .value("shown", \.$shown), .nested("left", \.left),
    .nested("right", \.right))
}

final class Account: ViewModel {
  @Observed var name = ""
  @Observed var age = 0

  static let surface = Surface<Account>(
    "account",
    migrations: [
      // 1 to 2: 'user' is called 'name'.
      { state in
        state["name"] = state["user"]
        state["user"] = nil
      },
      // 2 to 3: the age is a number.
      { state in
        if case .string(let age)? = state["age"] { state["age"] = .integer(Int64(age) ?? 0) }
      },
    ],
    .twoWay("name", \.$name),
    .twoWay("age", \.$age))
}

/// The Swift of Documentation/STORED-STATE.md, compiled and run: each of its lines stands in this file.
@Suite(.timeLimit(.minutes(30))) struct `The page about the stored state` {
  @Test func `a basket is the same after a restart`() async throws {
    try await expectRestorable { Basket() }
  }

  @Test func `shows a model of a binding that is brought in step`() async throws {
    try await expectRestorable { Editor() }
  }

  @Test func `shows a chain of migrations that works`() async throws {
    let model = try await LivingModel(.hosting { Account() }, stored: ["user": "Maruko", "age": "9"], schema: 1)
    #expect(await model.state == ["name": "Maruko", "age": 9])
  }

  @Test func `shows no line of Swift that is not compiled here`() throws {
    try expectCompiled(blocks(of: "swift", in: "Documentation/STORED-STATE.md"), in: #filePath, count: 4)
  }
}
