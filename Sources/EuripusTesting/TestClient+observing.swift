// SPDX-License-Identifier: MIT

extension TestClient {
  /// If there is an observer, asks once more for the state of every session that this client has opened. So the
  /// observer knows the states to which the patches must have led. A server that is gone, or a session that is
  /// busy, is left alone.
  func recordLastStates() {
    guard isObserved, TestObservation.current != nil, !openedURLs.isEmpty else { return }
    guard let other = try? TestClient(port: port, address: address, patience: 2, isObserved: true) else { return }
    other.cookie = cookie
    for url in openedURLs where (try? other.request("GET", url)) == nil { return }
  }
}
