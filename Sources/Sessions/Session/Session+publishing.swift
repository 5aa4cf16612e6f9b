// SPDX-License-Identifier: MIT
import ViewModels

/// The part of a session that makes revisions.
extension Session {
  /// Makes a revision of the changes since the last one, and answers the readers that wait for it.
  func publish() {
    if isClosed { return }
    settleSignIn()
    if turnWork.haveGuestsChanged { settleGuests() }
    if turnWork.hasTold { settleTold() }
    if turnWork.mayGo { settleDestination() }
    if turnWork.hasHandledFiles { settleFiles() }
    if model.stamp(revision + 1) {
      revision += 1
      custody.isUnsaved = true
      checkStateLength()
      wakeReaders()
    }
    count()
    answerCommandWaits()
  }

  /// Publishes the writes of a command's step that came just before, in the same turn. A request must not see
  /// them under the earlier version.
  func catchUp() { if let publishing = turnWork.publishing { publish(writesOf: publishing) } }

  /// Publishes the writes of some code. It counts as a part of that code.
  private func publish(writesOf code: TimedWork) {
    let outer = beginCode(code, since: services.now())
    publish()
    endCode(outer)
  }

  /// Publishes writes outside a change when the turn in which they happen is over.
  func publishLater() {
    if turnWork.isChanging || turnWork.publishing != nil { return }
    let code = turnWork.present?.work ?? .between
    turnWork.publishing = code
    executor.afterTurn {
      self.submit { session in
        session.turnWork.publishing = nil
        session.publish(writesOf: code)
      }
    }
  }
}
