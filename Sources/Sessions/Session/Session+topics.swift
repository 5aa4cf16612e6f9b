// SPDX-License-Identifier: MIT
import ViewModels

/// Topics that the view model tells.
extension Session {
  func hearTold() {
    model.context?.didTell = { [weak self] in
      self?.assumeIsolated { session in
        session.turnWork.hasTold = true
        session.publishLater()
      }
    }
  }

  /// Has all who follow them be told of the topics that the transactions before it have told, once these are stored.
  func settleTold() {
    turnWork.hasTold = false
    var taken: [String] = []
    model.enter { taken = model.context?.takeTold() ?? [] }
    let topics = taken
    if topics.isEmpty { return }
    // The store tells other servers.
    if keeping != nil { custody.add(told: topics) }
    tell { [hub = services.topics, id] _ in
      // Also if the store did not say that it has the change: it may have it, and a tell only says where to look.
      for topic in topics { hub.tell(topic, by: id) }
    }
  }
}
