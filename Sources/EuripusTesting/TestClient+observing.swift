// SPDX-License-Identifier: MIT

extension TestClient {
  /// Asks once more, where there is an observer, for the state of every session that this client has opened: then it knows
  /// the state that its patches must have led to. A server that is gone, or a session that is busy, is let be.
  func recordLastStates() {
    guard TestObservation.current != nil, !openedURLs.isEmpty else { return }
    guard let other = try? TestClient(port: port, address: address, from: nil, patience: 2) else { return }
    other.cookie = cookie
    for url in openedURLs where (try? other.request("GET", url)) == nil { return }
  }
}
