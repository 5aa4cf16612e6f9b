// SPDX-License-Identifier: MIT
import ViewModels

/// Pages to which the view model sends a client.
extension Session {
  func watchDestination() {
    model.context?.didGo = { [weak self] in
      self?.assumeIsolated { session in
        session.turnWork.mayGo = true
        session.publishLater()
      }
    }
  }

  /// Puts the destination of the transactions before it into the answer to the request that is sent there.
  func settleDestination() {
    turnWork.mayGo = false
    guard let context = model.context else { return }
    var taken: Destination?
    model.enter { taken = context.takeDestination() }
    guard let destination = taken else { return }
    if let request = destination.request as? ChangeRequest, commandWaits.send(request, to: destination.address) {
      return
    }
    turnWork.destination = destination.address
  }

  /// The page to which the last change, or a command since then, has sent its client, for tests of view models.
  package var destination: String? { turnWork.destination }
}
