// SPDX-License-Identifier: MIT

/// The users that each network has made on the present day. One network makes a few, so that it cannot take all places.
struct NewUsers {
  static let most = 50

  private var day = 0
  private var byNetwork: [String: Int] = [:]

  /// - Parameters:
  ///   - network: the network that a new user comes from; empty if it is not known.
  ///   - day: the present day.
  /// - Throws: ``LoginRefusal/tooManyNew``.
  func check(_ network: String, on day: Int) throws(LoginRefusal) {
    if day == self.day, byNetwork[network] ?? 0 >= Self.most { throw .tooManyNew }
  }

  mutating func add(_ network: String, on day: Int) {
    if day != self.day { (self.day, byNetwork) = (day, [:]) }
    if !network.isEmpty { byNetwork[network, default: 0] += 1 }
  }
}
