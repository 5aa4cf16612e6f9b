// SPDX-License-Identifier: MIT
import ViewModels

/// Making revisions of what has changed.
extension Session {
  /// Makes a revision of what has changed, and answers the readers that wait for it.
  func publish() {
    if isClosed { return }
    settleIdentity()
    if model.stamp(revision + 1) {
      revision += 1
      isUnsaved = true
      checkStateLength()
      wakeWaiters()
    }
    count()
    answerCommandWaits()
  }

  /// Publishes what a command's step has written just before, in the same turn: a request that comes in must not see it
  /// under the version from before.
  func catchUp() { if isPublishing { publish() } }

  /// Has what is written outside a change published when the turn in which that happens is over.
  func publishLater() {
    if isChanging || isPublishing { return }
    isPublishing = true
    executor.afterTurn {
      self.submit { session in
        session.isPublishing = false
        session.publish()
      }
    }
  }
}
