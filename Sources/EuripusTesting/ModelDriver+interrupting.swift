// SPDX-License-Identifier: MIT
import Sessions
import ViewModels

extension ModelDriver {
  /// Tells a topic as another session does. Who follows it reads soon: `await driver.wait { … }`.
  public func tell(_ topic: String) { driven.topics.tell(topic, by: nil) }

  /// Ends the commands at work as a restart of the server does: each has the error `interrupted`, and its view
  /// model is told (`ViewModel.didInterrupt`). As after a restart, secrets are empty.
  ///
  /// - Throws: `ViewModelFailure` for an error of the view model.
  public func interrupt() throws {
    try Self.entering(session) { session in Result { try session.interrupt() } }.get()
  }
}
