// SPDX-License-Identifier: MIT
import ViewModels

/// The part of a session that makes revisions of its changes.
extension Session {
  /// Makes a revision of the changes since the last one, and answers the readers that wait for it.
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

  /// Publishes the writes of a command's step just before, in the same turn: a request that comes in must not see it
  /// under the version from before.
  func catchUp() { if isPublishing { publish() } }

  /// Has writes outside a change published when the turn in which they happen is over.
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
