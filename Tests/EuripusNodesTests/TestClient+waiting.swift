// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Testing

extension TestClient {
  /// Follows a session by long polls until its state passes a test.
  func wait(_ url: String, until isWanted: (JSON) -> Bool) async throws {
    var answer = try await request("GET", url).json
    while let state = answer?["state"], !isWanted(state), case .string(let version)? = answer?["version"] {
      _ = try await request("GET", "\(url)/changes?since=\(version)", fields: [("Prefer", "wait=55")])
      answer = try await request("GET", url).json
    }
    #expect(answer?["state"].map(isWanted) == true, "\(answer.map { "\($0)" } ?? "no state")")
  }
}
