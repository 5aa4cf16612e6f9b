// SPDX-License-Identifier: MIT
import Recording

extension TestClient {
  /// With a recording, asks once more for the state of every session that this client has opened: then the referee knows
  /// what its patches must have come to. A server that is gone, or a session that is busy, is let be.
  func recordLastStates() {
    guard Recorder.current != nil, !openedURLs.isEmpty else { return }
    guard let other = try? TestClient(port: port, address: address, from: nil, patience: 2) else { return }
    other.cookie = cookie
    for url in openedURLs where (try? other.request("GET", url)) == nil { return }
  }
}
