// SPDX-License-Identifier: MIT
// swift run follow http://127.0.0.1:8080
import EuripusClient
import Foundation

guard let server = URL(string: CommandLine.arguments.last ?? "") else { throw URLError(.badURL) }
let session = try await RemoteSession(opening: "follow", at: server)

@MainActor func people() -> String {
  guard case .array(let keys)? = session.state["people"]?["order"] else { return "" }
  return keys.compactMap { session.state["people"]?["items"]?[$0.text ?? ""]?["name"]?.text }.joined(separator: ", ")
}

print(people())
try await session.change("POST", "/actions/suggest")
while session.state["suggest"]?["executing"] == .bool(true) { try await session.next() }
print(people())
