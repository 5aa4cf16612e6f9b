// SPDX-License-Identifier: MIT
package import Storing
import ViewModels

/// Forward flow to readers that wait (PROTOCOL §5).
extension Session {
  /// Answers a poll if the session has something newer than the reader holds. Otherwise the poll waits.
  ///
  /// A reader beyond the limits releases the oldest one of its credential, or of this session (newest wins). In a room that
  /// is full it is refused.
  ///
  /// - Returns: the answer, or `nil` if the poll waits.
  package func poll(_ waiter: Waiter, answer: @escaping Waiter.Answer) -> PollAnswer? {
    if let news = news(since: waiter.since, wantsSnapshot: waiter.wantsSnapshot) {
      readerCame(waiter)
      readerLeft(waiter, pause: .zero)
      return news
    }
    return admit(waiter, answer).map { .failed($0) }
  }

  /// Answers a poll that does not wait.
  package func poll(since: Version?, wantsSnapshot: Bool = false) -> PollAnswer {
    news(since: since, wantsSnapshot: wantsSnapshot) ?? .unchanged
  }

  private func news(since: Version?, wantsSnapshot: Bool) -> PollAnswer? {
    if isClosed { return .closed }
    if let since, since == version { return nil }
    return .changed(message(since: since, wantsSnapshot))
  }

  /// Takes in a reader. If there is one too many, the one that has waited longest goes. From a room nobody goes for others.
  ///
  /// - Returns: the reason why the reader is refused; `nil` if it waits.
  func admit(_ waiter: Waiter, _ answer: @escaping Waiter.Answer) -> SessionError? {
    let limits = services.limits
    if isRoom {
      if readers.count >= limits.perRoom { return .tooManyReaders(limit: limits.perRoom) }
    } else if readers.count >= limits.perSession, let oldest = readers.removeOldest() {
      release(oldest, .displaced(retryAfter: limits.retryAfter))
    }
    readers.add(WaitingPlace(waiter: waiter, answer: answer, since: waiter.since))
    readerCame(waiter)
    if !waiter.isSession, let oldest = limits.admit(waiter, of: reader(waiter), in: self) {
      let displaced = PollAnswer.displaced(retryAfter: limits.retryAfter)
      executor.afterTurn { oldest.session.submit { $0.endWait(of: oldest.waiter, displaced) } }
    }
    // From here on the reader is found by the limits when the client's user changes.
    if isRoom, let requester = waiter.requester, !requester.isPresent { endWait(of: waiter, comesAgain) }
    return nil
  }

  /// The credential by which a reader counts: its client's in a room, and the owner's in any other session.
  private func reader(_ waiter: Waiter) -> Credential { isRoom ? waiter.client ?? owner : owner }

  /// Has a client's readers in a room come again, since its credential or its user has changed.
  func readersComeAgain(of client: Credential) {
    endCommandWaits(of: client, but: nil, .credentialReplaced)
    for place in readers.removeAll(of: client, isStrict: true) { release(place, comesAgain) }
  }

  /// Ends the waits of a client that leaves a room.
  package func releaseReaders(ofMember client: Credential) {
    for place in readers.removeAll(of: client, isStrict: true) { release(place, .closed) }
  }

  /// Ends a wait. A wait that is over already is left alone.
  ///
  /// - Parameters:
  ///   - answer: the reader's answer; `nil` if there is no reader any more.
  ///   - pause: the time after which the reader was told to come back.
  package func endWait(of waiter: Waiter, _ answer: PollAnswer?, pause: Duration = .zero) {
    if let place = readers.remove(waiter) { release(place, answer, pause: pause) }
  }

  /// Lets go of a reader, with an answer if there is one.
  func release(_ place: WaitingPlace, _ answer: PollAnswer?, pause: Duration = .zero) {
    readerLeft(place.waiter, pause: answer?.pause ?? pause)
    if !place.waiter.isSession { services.limits.leave(place.waiter, of: reader(place.waiter)) }
    if case .displaced(let seconds) = answer, seconds > 0 { services.limits.noteDisplaced() }
    if let answer { tell { place.answer($0.map { .failed($0.ofReading) } ?? answer) } }
  }

  /// Releases all readers that wait for a change, so that they ask again.
  ///
  /// - Parameter answer: the answer to a poll.
  func releaseReaders(with answer: PollAnswer = .unchanged) {
    for place in readers.removeAll() { release(place, place.waiter.follows ? .closed : answer) }
  }

  /// Answers the readers that wait for a change. Those who hold the same, and may see the same, get one frame.
  func wakeReaders() {
    if readers.isEmpty { return }
    var written: [FrameKey: Message] = [:]
    let places = readers.removeAll()
    for var place in places {
      if let ending = ending(for: place.waiter.requester) {
        release(place, ending)
        continue
      }
      // A follower that is away asks when it comes back.
      if place.isAway {
        readers.add(place)
        continue
      }
      let news = showing(to: place.waiter.requester) {
        if places.count == 1 { return message(since: place.since, place.waiter.wantsSnapshot) }
        let key = FrameKey(since: place.since, epoch: epoch, isSnapshot: place.waiter.wantsSnapshot)
        let message = written[key] ?? message(since: place.since, place.waiter.wantsSnapshot)
        written[key] = message
        return message
      }
      if place.waiter.follows {
        hand(news, to: &place)
        readers.add(place)
      } else {
        release(place, .changed(news))
      }
    }
  }

  /// All that a frame depends on, but for the state.
  private struct FrameKey: Hashable {
    /// The version that the reader holds.
    let since: Version?
    /// The epoch, with the part of the state that the reader may see.
    let epoch: String
    let isSnapshot: Bool
  }

  private func message(since: Version?, _ wantsSnapshot: Bool) -> Message {
    wantsSnapshot ? document(url: nil) : frame(since: since)
  }
}
