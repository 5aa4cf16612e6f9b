// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import EuripusServer

/// A view model whose actions take values of several forms.
private final class Shop: ViewModel {
  let last = Observable("")
  func say(_ text: String) { last.value = text }
  func count(_ number: Int) { last.value = "\(number)" }
  func open(_ isOpen: Bool) { last.value = "\(isOpen)" }
  func order(_ article: String, _ number: Int, _ price: Double?, _ isGift: Bool) {
    last.value = "\(number) \(article) \(price.map { "\($0)" } ?? "-") \(isGift)"
  }
  func list(_ articles: [String]) { last.value = articles.joined() }
  func clear() { last.value = "nothing" }

  static let surface = Surface<Shop>(
    "shop", .value("last", \.last), .action("say", Shop.say), .action("count", Shop.count),
    .action("open", Shop.open), .action("order", Shop.order, takes: "article", "number", "price", "isGift"),
    .action("list", Shop.list), .action("clear", Shop.clear))
}

private let form = ("Content-Type", "application/x-www-form-urlencoded")

@Suite(.timeLimit(.minutes(30))) struct `A form's body` {
  private static func shop(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> Opened {
    try Opened([.hosting { Shop() }], "shop", configure: configure)
  }

  @Test(arguments: [
    ("say", "text=milk", "milk"), ("say", "value=milk+%26+eggs%C3%A9", "milk & eggsé"), ("say", "text=", ""),
    ("say", "a=b=c", "b=c"), ("count", "n=12", "12"), ("count", "n=-3", "-3"), ("open", "x=true", "true"),
    ("order", "article=milk&number=2&price=1.5&isGift=false", "2 milk 1.5 false"),
    ("order", "isGift=true&price=&number=2&article=", "2  - true"), ("clear", "", "nothing"),
  ])
  func `has the value of an action, read by its type`(action: String, body: String, last: String) throws {
    let shop = try Self.shop()
    #expect(try shop.send("POST", "/actions/\(action)", body, [form]).status == 200)
    #expect(try shop.get("/state/last").json == .string(last))
  }

  @Test func `may name its charset, as pages do`() throws {
    let shop = try Self.shop()
    let named = [("Content-Type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8")]
    #expect(try shop.send("POST", "/actions/say", "text=milk", named).status == 200)
  }

  @Test(arguments: [
    ("say", "milk", "", "expected one value with a name before it"), ("say", "", "", "expected one value"),
    ("say", "a=1&b=2", "", "got 2"), ("say", "a=%zz", "", "percent-encoded"), ("say", "a=%ff", "", "UTF-8"),
    ("count", "n=two", "", "expected a number such as 12, got a text that is none"), ("count", "n=", "", "a number"),
    ("count", "n=1.5", "", "expected"), ("count", "n=null", "", "a number"), ("open", "x=on", "", "true or false"),
    ("order", "article=a&number=1&isGift=on", "/isGift", "true or false"),
    ("order", "article=a&article=b&number=1", "/article", "'article' stands twice"),
    ("order", "article=a&colour=red", "/colour", "no name 'colour' here; expected of: article, number, price, isGift"),
    ("clear", "a=1", "", "expected no value"), ("nope", "a=1", "", "no action 'nope'"),
  ])
  func `with a mistake is a problem that says what was expected, and nothing is done`(
    action: String, body: String, pointer: String, words: String
  ) throws {
    let shop = try Self.shop()
    let answer = try shop.send("POST", "/actions/\(action)", body, [form])
    #expect(answer.problem == "invalid-action", "\(answer.text)")
    #expect(answer.text.contains(words), "\(answer.text)")
    if !pointer.isEmpty { #expect(answer.json?["errors"]?[0]?["pointer"] == .string(pointer), "\(answer.text)") }
    #expect(!answer.text.contains("two"))
    #expect(try shop.get("/state/last").json == "")
  }

  @Test func `is for flat values alone, and for actions alone`() throws {
    let shop = try Self.shop()
    let list = try shop.send("POST", "/actions/list", "articles=milk", [form])
    #expect(list.problem == "not-json" && list.text.contains("neither a text, a number or a truth value"))
    for (method, path) in [("POST", "/actions"), ("PUT", "/state/last"), ("PUT", "/client")] {
      #expect(try shop.send(method, path, "a=1", [form]).problem == "not-json", "\(method) \(path)")
    }
    #expect(try shop.client.request("POST", "/sessions/shop", "a=1", fields: [form]).problem == "not-json")
  }

  @Test func `counts with its key once, and is another request than the same bytes as JSON`() throws {
    let shop = try Self.shop()
    let key = ("Idempotency-Key", "k/1")
    let first = try shop.send("POST", "/actions/count", "n=1", [form, key])
    #expect(first.status == 200)
    #expect(try shop.send("POST", "/actions/count", "n=1", [form, key]).text == first.text)
    let other = ("Idempotency-Key", "other")
    #expect(try shop.send("POST", "/actions/count", "1", [other]).status == 200)
    #expect(try shop.send("POST", "/actions/count", "1", [form, other]).problem == "key-reused")
  }

  @Test func `stands in the description of an action that takes it`() throws {
    let shop = try Self.shop()
    let document = try #require(shop.client.request("GET", "/models/shop/openapi.json").json)
    func body(_ action: String) -> JSON? {
      document["paths"]?["/sessions/shop/{id}/actions/\(action)"]?["post"]?["requestBody"]?["content"]?[
        "application/x-www-form-urlencoded"]?["schema"]?["$ref"]
    }
    #expect(body("order") == "#/components/schemas/ShopOrder")
    #expect(body("list") == nil && body("clear") == nil)
    guard case .string(let name)? = body("say") else { return #expect(Bool(false), "no form for 'say'") }
    let schema = document["components"]?["schemas"]?[String(name.split(separator: "/").last ?? "")]
    #expect(schema?["additionalProperties"] == ["type": "string"] && schema?["maxProperties"] == 1)
  }
}

/// The form of another site's page, in a browser that sends the cookie of the person before it.
@Suite(.timeLimit(.minutes(30))) struct `A form's body from a browser` {
  struct Case: Sendable, CustomTestStringConvertible {
    let isIn: Bool
    let fields: [(String, String)]
    init(_ isIn: Bool, _ fields: (String, String)...) { (self.isIn, self.fields) = (isIn, fields) }
    var testDescription: String { "\(isIn ? "in" : "out") \(fields)" }
  }

  static let own = "http://127.0.0.1:8080"
  static let page = ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
  static let cases = [
    // As curl and other programs send it, with a jar of cookies.
    Case(true), Case(true, ("Accept", "*/*"), ("User-Agent", "curl/8.14.1")),
    // Pages of this server, and of no other.
    Case(true, ("Sec-Fetch-Site", "same-origin"), page), Case(true, ("Origin", own), page),
    Case(false, ("Sec-Fetch-Site", "same-site"), page), Case(false, ("Sec-Fetch-Site", "cross-site"), page),
    Case(false, ("Sec-Fetch-Site", "none"), page), Case(false, ("Sec-Fetch-Site", "none")),
    Case(false, ("Origin", "http://evil.example")), Case(false, ("Origin", "null")),
    Case(false, ("Sec-Fetch-Site", "none"), ("Origin", own)),
    // Browsers that say nothing of the page: each of these fields gives them away.
    Case(false, page), Case(false, ("Accept", "*/*"), ("Accept-Language", "en")),
    Case(false, ("Referer", "http://evil.example/")), Case(false, ("Referer", own + "/shop.html")),
    Case(false, ("Accept", "image/gif, */*"), ("Accept-Language", "de")),
  ]

  @Test(arguments: cases) func `is taken if a page of this server sent it, or no browser did`(_ given: Case) throws {
    for (action, body) in [("say", "text=milk"), ("clear", "")] {
      let shop = try Opened([.hosting { Shop() }], "shop")
      let host = given.fields.contains { $0.1 == Self.own } ? [("Host", "127.0.0.1:8080")] : []
      // The cookie's name has the port that the client names.
      let cookie =
        host.isEmpty ? [] : [("Cookie", (shop.client.cookie ?? "").replacing("\(shop.client.port)", with: "8080"))]
      let answer = try shop.send("POST", "/actions/\(action)", body, [form] + host + cookie + given.fields)
      #expect(given.isIn ? answer.status == 200 : answer.problem == "cross-site", "\(answer.text)")
      #expect(try shop.get("/state/last").json == (given.isIn ? .string(body.isEmpty ? "nothing" : "milk") : ""))
    }
  }

  @Test func `is taken with a token, which no page can add, and from an origin that is allowed`() throws {
    let server = try TestServer([.hosting { Shop() }]) { $0.allowedOrigins = ["https://app.example"] }
    let client = try server.client()
    let opened = try client.request("POST", "/sessions/shop", #"{"auth":"bearer"}"#)
    guard case .string(let token)? = opened.json?["token"], let url = opened["Location"] else {
      return #expect(Bool(false), "\(opened.text)")
    }
    let fields = [form, ("Authorization", "Bearer \(token)"), ("Accept-Language", "en")]
    #expect(try client.request("POST", url + "/actions/say", "text=a", fields: fields).status == 200)
    let shop = try Opened([.hosting { Shop() }], "shop") { $0.allowedOrigins = ["https://app.example"] }
    let allowed = [("Origin", "https://app.example"), ("Sec-Fetch-Site", "cross-site"), Self.page, form]
    #expect(try shop.send("POST", "/actions/say", "text=a", allowed).status == 200)
  }

  @Test(arguments: ["text/plain", "multipart/form-data; boundary=x"])
  func `is refused as ever if it is of another type, empty or not`(type: String) throws {
    let shop = try Opened([.hosting { Shop() }], "shop")
    for (action, body) in [("say", "text=milk"), ("clear", "")] {
      #expect(try shop.send("POST", "/actions/\(action)", body, [("Content-Type", type)]).problem == "not-json")
    }
  }
}
