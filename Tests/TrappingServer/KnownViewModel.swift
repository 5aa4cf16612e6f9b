// SPDX-License-Identifier: MIT
import Euripus

/// Signs in every user that a client names, and ends its process.
final class KnownViewModel: ViewModel {
  private let context: SessionContext
  private let password = Observable("", name: "password")

  init(_ context: SessionContext) { self.context = context }

  func enter(_ word: String) throws {
    try context.signIn(
      User(id: "\(word)-id", name: "\(word)-name", roles: ["\(word)-role"], claims: ["mail": .string("\(word)-mail")]))
  }

  func fall(_ word: String) { Self.trapAsSomebody() }

  // The tests need the trap itself.
  @inline(never) private static func trapAsSomebody() { fatalError("told to trap, as somebody") }

  static let surface = Surface<KnownViewModel>(
    "known", .secret("password", \.password), .action("enter", KnownViewModel.enter),
    .action("fall", KnownViewModel.fall).for(.signedIn))
}
