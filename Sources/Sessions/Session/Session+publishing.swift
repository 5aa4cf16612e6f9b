// SPDX-License-Identifier: MIT
import ViewModels

/// The part of a session that makes revisions.
extension Session {
  /// Makes a revision of the changes since the last one, and answers the readers that wait for it.
  func publish() {
    if isClosed { return }
    settleSignIn()
    if model.stamp(revision + 1) {
      revision += 1
      isUnsaved = true
      checkStateLength()
      wakeWaiters()
    }
    count()
    answerCommandWaits()
  }

  /// Publishes the writes of a command's step that came just before, in the same turn. A request must not see
  /// them under the earlier version.
  func catchUp() { if let publishing { publish(writesOf: publishing) } }

  /// Publishes the writes of some code. It counts as a part of that code.
  private func publish(writesOf work: TimedWork) { _ = timed(work, since: services.now()) { publish() } }

  /// Publishes writes outside a change when the turn in which they happen is over.
  func publishLater() {
    if isChanging || publishing != nil { return }
    let work = present?.work ?? .between
    publishing = work
    executor.afterTurn {
      self.submit { session in
        session.publishing = nil
        session.publish(writesOf: work)
      }
    }
  }
}
