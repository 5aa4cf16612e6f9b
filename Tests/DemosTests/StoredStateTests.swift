// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import Testing

final class Basket: ViewModel {
  let coupon = Observable("")
  let items = KeyedList<BasketItem>()
  let count: Computed<Int>
  let notice = Observable<Notice?>(nil, cutOff: .never)
  let add = Observer<String>()
  private var lastKey = 0

  init() {
    count = Computed { [items] in items.rows.count { !$0.isTaken.value } }
    add.handle(self) { basket, name in
      basket.lastKey += 1
      let item = basket.makeItem("\(basket.lastKey)")
      item.name.value = name
      basket.items.append(item, key: "\(basket.lastKey)")
      basket.notice.value = basket.makeNotice()
    }
  }

  private func makeItem(_ key: String) -> BasketItem {
    let item = BasketItem()
    item.remove.handle(self) { basket, _ in basket.items.remove(key) }
    return item
  }

  private func makeNotice() -> Notice {
    let notice = Notice()
    notice.close.handle(self) { basket, _ in basket.notice.value = nil }
    return notice
  }

  static let surface = Surface<Basket>(
    "basket",
    .twoWay("coupon", \.coupon),
    .list("items", \.items) { basket, key in basket.makeItem(key) },
    .value("count", \.count),
    .nested("notice", \.notice) { basket in basket.makeNotice() },
    .stored("lastKey", \.lastKey),
    .action("add", \.add))
}

final class BasketItem: ViewModel {
  let name = Observable("")
  let isTaken = Observable(false)
  let remove = Observer<Void>()

  static let surface = Surface<BasketItem>(
    "item", .value("name", \.name), .twoWay("isTaken", \.isTaken), .action("remove", \.remove))
}

final class Notice: ViewModel {
  let close = Observer<Void>()
  static let surface = Surface<Notice>("notice", .action("close", \.close))
}

final class Page: ViewModel {
  let text: Observable<String>
  init(_ text: String) { self.text = Observable(text) }
  static let surface = Surface<Page>("page", .twoWay("text", \.text))
}

final class Editor: ViewModel {
  let isLeft = Observable(true)
  let shown = Observable("")
  let (left, right) = (Page("left"), Page("right"))
  private lazy var binding = Binding<Editor, Page>(self).bind(\.text) { editor, text in editor.shown.value = text }

  init() { isLeft.addObserver(Observer(self) { editor, _ in editor.follow() }, replay: true) }

  func didRestore() { follow() }

  private func follow() { binding.model = isLeft.value ? left : right }

  static let surface = Surface<Editor>(
    "editor", .twoWay("isLeft", \.isLeft), .value("shown", \.shown), .nested("left", \.left), .nested("right", \.right))
}

final class Account: ViewModel {
  let name = Observable("")
  let age = Observable(0)

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
    .twoWay("name", \.name),
    .twoWay("age", \.age))
}

/// The Swift of Documentation/STORED-STATE.md, compiled and run: each of its lines stands in this file.
@Suite(.timeLimit(.minutes(5))) struct `The page about the stored state` {
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
    let root = #filePath.replacing("Tests/DemosTests/StoredStateTests.swift", with: "")
    let page = try String(contentsOfFile: root + "Documentation/STORED-STATE.md", encoding: .utf8)
    let here = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n").map(trimmed)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count == 4)
    for line in blocks.flatMap({ $0.split(separator: "\n") }).map(trimmed) where !line.isEmpty {
      #expect(here.contains(line), "not compiled: \(line)")
    }
  }

  private func trimmed(_ line: Substring) -> String { line.trimmingCharacters(in: .whitespaces) }
}
