// SPDX-License-Identifier: MIT

/// The owner of a graph in a program that serves others too, such as a session. It takes the errors that reach no
/// caller, and gives the sequences that are followed their time.
package protocol GraphHost: AnyObject {
  /// Takes an error of code that runs by itself.
  ///
  /// - Parameter place: the code, such as `following votes (Poll/Poll.swift:12)`.
  func take(_ error: any Error, of place: String)

  /// Says whether an element of a followed sequence may act now.
  ///
  /// - Parameters:
  ///   - place: the sequence, as in ``take(_:of:)``.
  ///   - goOn: called when there is time, if there is none now.
  func admit(_ place: String, orLater goOn: @escaping () -> Void) -> Bool
}
