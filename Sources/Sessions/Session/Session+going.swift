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

  /// Puts the destinations of the transactions before it into the answers to the requests that are sent there.
  func settleDestination() {
    turnWork.mayGo = false
    guard let context = model.context else { return }
    var taken: [Destination] = []
    model.enter { taken = context.takeDestinations() }
    for destination in taken {
      let request = destination.request as? ChangeRequest
      // The request of the change at work does not wait yet.
      if request.map({ commandWaits.send($0, to: destination.address) }) != true {
        turnWork.destination = destination.address
      }
    }
  }

  /// The page to which the last change, or a command since then, has sent its client, for tests of view models.
  package var destination: String? { turnWork.destination }
}
