// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Locking
import Seeded

/// A client that adds its numbers to a ledger, each sent until it is acknowledged.
final class Writer: Sendable {
  let index: Int
  private let url: String
  private let cookie: String
  private let server: KilledServer
  private let usesNumbers: Bool
  /// The seconds for which the writer does nothing after some numbers; `nil` for never.
  private let pauses: ClosedRange<Double>?
  private let generator: Locked<SeededGenerator>
  /// Numbers that were acknowledged, the commands among them, and requests that were sent again.
  let counts = Locked((acknowledged: 0, commands: 0, resent: 0))
  let faults = Locked<[String]>([])
  private let isStopping = Locked(false)

  /// - Parameter usesNumbers: Whether the writer's keys have numbers; otherwise they are texts.
  init(
    _ index: Int, of url: String, cookie: String, on server: KilledServer, usesNumbers: Bool,
    pauses: ClosedRange<Double>? = nil, generator: SeededGenerator = SeededGenerator(seed: 1)
  ) {
    self.pauses = pauses
    self.generator = Locked(generator)
    self.index = index
    self.url = url
    self.cookie = cookie
    self.server = server
    self.usesNumbers = usesNumbers
  }

  func stop() { isStopping.withLock { $0 = true } }

  func run() {
    var client: TestClient?
    var number = 0
    while !isStopping.withLock({ $0 }) {
      number += 1
      // A command adds every fifth number.
      let action = number % 5 == 0 ? "work" : "add"
      let key = usesNumbers ? "w\(index)/\(number)" : "w\(index)-\(number)"
      var attempts = 0
      while true {
        attempts += 1
        if attempts > 20_000 { return note("\(key) was not acknowledged by anybody") }
        do {
          if client == nil {
            client = try TestClient(port: server.port)
            client?.cookie = cookie
          }
          guard let client else { continue }
          let answer = try client.request(
            "POST", "\(url)/actions/\(action)", "\"\(index)/\(number)\"", fields: [("Idempotency-Key", key)])
          if answer.status == 200 { break }
          guard answer.status == 503 else { return note("\(key): \(answer.status) \(answer.text)") }
        } catch {
          client = nil
          // For a moment, no process has the port.
          usleep(1_000)
        }
      }
      counts.withLock {
        $0.acknowledged = number
        if action == "work" { $0.commands += 1 }
        if attempts > 1 { $0.resent += 1 }
      }
      if let pauses, generator.withLock({ Int.random(in: 0..<3, using: &$0) == 0 }) {
        guard look(number, &client) else { return }
        usleep(UInt32(generator.withLock { Double.random(in: pauses, using: &$0) } * 1_000_000))
      }
    }
  }

  /// Checks that the ledger has the writer's last number. This uses the session and changes nothing.
  private func look(_ number: Int, _ client: inout TestClient?) -> Bool {
    while !isStopping.withLock({ $0 }) {
      do {
        let connected = try client ?? TestClient(port: server.port)
        connected.cookie = cookie
        client = connected
        let answer = try connected.request("GET", url)
        if answer.status == 503 { continue }
        let seen = answer.json?["state"]?["numbers"]?[index]
        if seen == .integer(Int64(number)) { return true }
        note("\(number) was acknowledged, and then there is \(answer.status) \(answer.text)")
        return false
      } catch {
        client = nil
        usleep(1_000)
      }
    }
    return true
  }

  private func note(_ fault: String) { faults.withLock { $0.append(fault) } }
}
