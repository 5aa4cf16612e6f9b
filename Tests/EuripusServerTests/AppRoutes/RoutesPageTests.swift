// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Locking
import Foundation
import JSONPatching
import Testing

/// The orders of the shop on the page ROUTES.md.
actor Orders {
  private var paid: [String: [String]] = [:]
  var isOpen: Bool { !paid.isEmpty }
  func pay(_ order: String) { paid["2026", default: []].append(order) }
  func rows(of year: String) -> [[String]] { [["order"]] + (paid[year] ?? []).map { [$0] } }
  nonisolated func isSigned(_ body: [UInt8], as signature: String?) -> Bool { signature == "\(body.count)" }
}

/// The body of a payment's message.
struct Payment: Codable, JSONRepresentable {
  var order: String
}

/// The routes of a shop; its view models have the same `orders`.
func shopRoutes(_ orders: Orders) -> [AppRoute] {
  [
    .get("/reports/{year}.csv") { request in
      .csv(await orders.rows(of: try request.parameter("year")))
    },
    .post("/webhooks/payments", maxBodyBytes: 200_000) { request in
      guard orders.isSigned(request.body, as: request.field("X-Signature")) else {
        throw RouteProblem(403, "the signature is not of this body")
      }
      await orders.pay(try request.json(as: Payment.self).order)
      return .empty
    },
    .get("/shop-open") { _ in
      guard await orders.isOpen else { throw RouteProblem(503, "the shop is closed") }
      return .text("open")
    },
  ]
}

/// Files in memory, by their names.
final class Files: Sendable {
  final class File: Sendable {
    let bytes = Locked<[UInt8]>([])
    func write(_ piece: [UInt8]) throws { bytes.withLock { $0 += piece } }
  }

  let all = Locked<[String: File]>([:])

  func create(_ name: String) throws -> File {
    let file = File()
    all.withLock { $0[name] = file }
    return file
  }
}

func largeRoutes(_ files: Files) -> [AppRoute] {
  [
    .put("/backups/{name}", maxBodyBytes: 1 << 30) { request, body in
      let file = try files.create(request.parameter("name"))
      for try await piece in body { try file.write(piece) }
      return .empty
    },
    .get("/orders.csv") { _ in
      .stream(type: "text/csv; charset=utf-8") { writer in
        for number in 1...100_000 { try await writer.write("order \(number)\r\n") }
      }
    },
  ]
}

@Suite(.timeLimit(.minutes(30))) struct `The page on routes` {
  @Test func `shows a program that is here`() throws {
    let path = #filePath.replacing("Tests/EuripusServerTests/AppRoutes/RoutesPageTests.swift", with: "")
    let page = try String(contentsOfFile: path + "Documentation/ROUTES.md", encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(!blocks.isEmpty)
    let app = try String(contentsOfFile: path + "Tests/BoardApp/ShopApp.swift", encoding: .utf8)
    for block in blocks { #expect(source.contains(block) || app.contains(block), "\(block)") }
  }

  @Test func `shows routes for what is large, which work as it says`() throws {
    let files = Files()
    let client = try TestServer(routes: largeRoutes(files)).client()
    #expect(try client.request("PUT", "/backups/a", String(repeating: "b", count: 500_000)).status == 204)
    #expect(files.all.withLock { $0["a"]?.bytes.withLock { $0.count } } == 500_000)
  }

  @Test func `shows routes that work as it says`() throws {
    let client = try TestServer(routes: shopRoutes(Orders())).client()
    #expect(try client.request("GET", "/shop-open").json?["detail"] == "the shop is closed")
    let body = #"{"order":"a,b"}"#
    #expect(try client.request("POST", "/webhooks/payments", body).status == 403)
    #expect(try client.request("POST", "/webhooks/payments", body, fields: [("X-Signature", "15")]).status == 204)
    #expect(try client.request("POST", "/webhooks/payments", "{}", fields: [("X-Signature", "2")]).status == 422)
    #expect(try client.request("GET", "/shop-open").text == "open")
    #expect(try client.request("GET", "/reports/2026.csv").text == "order\r\n\"a,b\"\r\n")
  }
}
