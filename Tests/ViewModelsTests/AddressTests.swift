// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Seeded
import Testing
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

@Suite struct `The address of a view model` {
  private let shop: ModelDriver

  init() throws { shop = try ModelDriver { Shop() } }

  @Test func `is short where all is as it was made`() throws {
    #expect(try ModelDriver { Shop() }.address == "/shop")
    #expect(try ModelDriver(at: "/") { Shop() }.address == "/")
    #expect(try ModelDriver(at: "/our shop/new") { Shop() }.address == "/our%20shop/new")
  }

  @Test func `has the values that are not, and the path of the coordinator`() throws {
    try shop.set("tab", "new & old")
    try shop.set("order", "price")
    try shop.set("isOpen", true)
    try shop.set("share", 0.25)
    try shop.set("note", "50 %=?/#")
    try shop.perform("navigation/go", ["shoes", "a/b", "ä"])
    #expect(
      shop.address
        == "/shop/shoes/a%2Fb/%C3%A4?tab=new%20%26%20old&order=price&isOpen=true&share=0.25&note=50%20%25%3D%3F%2F%23")
    try shop.set("tab", "all")
    #expect(shop.address == "/shop?order=price&isOpen=true&share=0.25&note=50%20%25%3D%3F%2F%23")
  }

  @Test func `has an optional value that was made otherwise as a bare name where it is null`() throws {
    try shop.set("limit", .null)
    #expect(shop.address == "/shop?limit")
    try shop.go(to: "/shop?limit=3")
    #expect(shop["limit"] == 3)
    try shop.go(to: "/shop?limit")
    #expect(shop["limit"] == .null)
    try shop.go(to: "/shop")
    #expect(shop["limit"] == 10)
  }

  @Test func `sets all of its values: a missing one is as it was made`() throws {
    try shop.go(to: "/shop/shoes/red?tab=new&order=price&page=3&note=")
    #expect(shop["navigation/path"] == ["shoes", "red"])
    #expect(shop["tab"] == "new")
    #expect(shop["order"] == "price")
    #expect(shop["page"] == 3)
    #expect(shop["note"] == "")
    #expect(shop.address == "/shop/shoes/red?tab=new&order=price&page=3&note=")
    try shop.go(to: "/shop/shoes")
    #expect(shop.address == "/shop/shoes")
    #expect(shop["page"] == 1)
  }

  @Test func `is one transaction, and none where nothing changes`() throws {
    let before = shop.revision
    try shop.go(to: "/shop/shoes?tab=new&order=price")
    #expect(shop.revision == before + 1)
    try shop.go(to: "/shop/shoes/?order=price&tab=new#top")
    #expect(shop.revision == before + 1)
  }

  @Test func `opens a session there, in its first revision`() throws {
    let shop = try ModelDriver(address: "/shop/shoes?tab=new&page=2") { Shop() }
    #expect(shop.revision == 1)
    #expect(shop.address == "/shop/shoes?tab=new&page=2")
    #expect(shop["navigation/path"] == ["shoes"])
    #expect(shop["page"] == 2)
    // The plain address leads to the values with which a session without items begins.
    try shop.go(to: "/shop")
    #expect(shop["page"] == 1)
    #expect(shop["tab"] == "all")
  }

  @Test func `leads as far as it can, and the state names the steps that were not found`() throws {
    let shop = try ModelDriver(address: "/shop/shoes/xyz/red") { Shop() }
    #expect(shop.address == "/shop/shoes")
    #expect(shop["navigation/notFound"] == ["xyz", "red"])
    try shop.perform("navigation/go", ["hats"])
    #expect(shop["navigation/notFound"] == .null)
    try shop.go(to: "/shop/x")
    #expect(shop["navigation/notFound"] == ["x"])
    try shop.go(to: "/shop/hats")
    #expect(shop["navigation/notFound"] == .null)
  }

  @Test(arguments: [
    "/shop?order=size", "/shop?page=two", "/shop?page=1.5", "/shop?page=%22", "/shop?isOpen=1", "/shop?isOpen",
    "/shop?unknown=1", "/shop?tab=%zz", "/shop?%ff=1", "/shop?tab=%ff", "/shop?", "/shop?&&=&?", "/shop?share=1e999",
    "/shop?page=[1]", "/shop?page={\"a\":1}", "/shop?limit=%00", "/shop/?", "/shop#/a?tab=b", "/shop?made=7",
    "/shop?padding=short", "/shop?navigation=a",
  ])
  func `passes over items that the view model does not take`(_ address: String) throws {
    try shop.set("order", "price")
    try shop.go(to: address)
    #expect(shop.address == "/shop")
    #expect(try ModelDriver(address: address) { Shop() }.address == "/shop")
  }

  @Test func `takes the first of several items of a name, and a plus as a space`() throws {
    let shop = try ModelDriver(address: "/shop?tab=a+b%2B&tab=c") { Shop() }
    #expect(shop["tab"] == "a b+")
  }

  @Test func `leaves a value alone while its condition is false`() throws {
    try shop.go(to: "/shop?fixed=no")
    #expect(shop["fixed"] == "fixed")
    try shop.set("isFixed", false)
    try shop.go(to: "/shop?fixed=no")
    #expect(shop["fixed"] == "no")
  }

  @Test(arguments: [
    JSON.null, 5, ["/shop"], "", "shop", "/", "/shops", "/other/shop", "//shop", "http://here/shop", "/SHOP",
    "?tab=new",
    .string("/shop?tab=" + String(repeating: "a", count: 4_087)),
  ])
  func `is refused where it is none of the view model's`(_ address: JSON) async throws {
    let type = HostedModelType.hosting(at: "/shop") { Shop() }
    let model = try type.make(for: "a session")
    #expect {
      try model.apply([.address(address)]) { _ in }
    } throws: { error in
      "\(error)".contains("expected an address at or below '/shop', of 4096 bytes at most")
    }
    #expect(throws: SurfaceError.self) { try type.make(for: SessionOrigin(id: "1", client: "", address: address)) }
  }

  @Test func `may have 4096 bytes`() throws {
    let shop = try ModelDriver(at: "/") { Shop() }
    let text = String(repeating: "a", count: 4_090)
    try shop.go(to: "/?tab=" + text)
    #expect(shop["tab"] == .string(text))
    #expect(shop.address == "/?tab=" + text)
    // An item that no longer fits is left out.
    try shop.set("tab", .string(text + "b"))
    #expect(shop.address == "/")
  }

  @Test func `ends before a step that a browser takes for another path`() throws {
    try shop.perform("navigation/go", ["a", "..", "b"])
    #expect(shop.address == "/shop/a")
    let root = try ModelDriver(at: "/") { Shop() }
    try root.perform("navigation/go", ["", "example.org"])
    #expect(root.address == "/")
  }

  @Test func `is undone with a batch that is refused`() throws {
    let model = try HostedModelType.hosting(at: "/shop") { Shop() }.make(for: "a session")
    #expect(throws: ChangesRefused.self) {
      try model.apply([.address("/shop/a?tab=new"), .set("page", 5)]) { _ in }
    }
    #expect(model.address == "/shop")
  }

  @Test func `is none of a view model that has nothing in it`() throws {
    let plain = try ModelDriver { Shop.Page("plain") }
    #expect(plain.address == nil)
    // A page that says where it lies is no mistake.
    try plain.go(to: "/page/a?tab=new")
    #expect(try ModelDriver(address: "/page") { Shop.Page("plain") }.state == plain.state)
    #expect(throws: SurfaceError.self) { try plain.go(to: "/elsewhere") }
  }

  @Test func `is the same after a restart, though nothing of it is stored`() throws {
    let type = HostedModelType.hosting(at: "/shop") { Shop() }
    let address = "/shop/shoes/red?tab=new&order=price&limit"
    let model = try type.make(for: SessionOrigin(id: "1", client: "", address: .string(address)))
    var writer = JSONWriter()
    model.writeStored(to: &writer)
    let restored = try type.restore(try JSONReader.read(writer.bytes), schema: type.schema, for: "1")
    #expect(restored.address == address)
    try restored.apply([.address("/shop")]) { _ in }
    #expect(restored.address == "/shop")
  }

  @Test func `survives restarts`() async throws {
    try await expectRestorable(rounds: 8, texts: ["xyz", "shoes", "red"]) { Shop() }
  }

  @Test(arguments: 0..<60) func `is read as it was written, whatever the values are`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = { (random: inout SeededGenerator) -> String in
      let letters = [
        "a", "B", "0", " ", "/", "?", "&", "=", "%", "#", "+", "ä", "😀", "\"", "\\", ".", "~", "\u{1}", "e\u{301}",
      ]
      return (0..<Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
        .joined()
    }
    try shop.set("tab", .string(text(&random)))
    try shop.set("order", Bool.random(using: &random) ? "price" : "name")
    try shop.set("isOpen", .bool(Bool.random(using: &random)))
    try shop.set("share", .number(Double.random(in: -1e9...1e9, using: &random)))
    try shop.set("note", Bool.random(using: &random) ? .null : .string(text(&random)))
    try shop.set(
      "limit", Bool.random(using: &random) ? .null : .integer(Int64.random(in: -1_000...1_000, using: &random)))
    let steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in text(&random) }.filter {
      $0 != "." && $0 != ".."
    }
    try shop.perform("navigation/go", .array(steps.map { .string($0) }))
    let address = try #require(shop.address)
    let other = try ModelDriver(address: address) { Shop() }
    #expect(other.address == address, "seed \(seed)")
    for name in ["tab", "order", "page", "isOpen", "share", "note", "limit", "navigation/path", "navigation/notFound"] {
      #expect(other[name] == shop[name], "seed \(seed)")
    }
  }
}
