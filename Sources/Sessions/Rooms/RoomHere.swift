// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// A room in this server's memory. Who follows it so is no member of it, and takes no place among its client's readers.
actor RoomHere: FollowedRoom {
  private let room: Session
  private let requester: Requester
  private let waiter: Waiter
  /// The answers that the room gives the waiter.
  private var answers: AsyncStream<PollAnswer>.Iterator
  private let take: @Sendable (PollAnswer) -> Void
  private var isWaiting = false

  init(_ room: Session, as requester: Requester) {
    (self.room, self.requester) = (room, requester)
    waiter = .session(requester)
    let (answers, telling) = AsyncStream.makeStream(of: PollAnswer.self)
    self.answers = answers.makeAsyncIterator()
    take = { telling.yield($0) }
  }

  func next(after version: Version?) async -> RoomAnswer {
    // The rule is asked for each version, as for a page at each request.
    if !mayEnter { return .lost(after: .zero) }
    room.submit(from: requester) { [waiter, take, isWaiting] room in
      isWaiting ? room.next(for: waiter) : room.follow(waiter, answer: take)
    } then: { [take] result in
      switch result {
      case .success(let answer): if let answer { take(answer) }
      case .failure(let error): take(.failed(error))
      }
    }
    isWaiting = true
    var answers = answers
    defer { self.answers = answers }
    // It gets no answer if the task is cancelled.
    switch await answers.next(isolation: self) {
    case .changed(let message)? where mayEnter: return .frame(message.json)
    case .displaced(let seconds)?: return .lost(after: .seconds(seconds))
    default: return .lost(after: .zero)
    }
  }

  private var mayEnter: Bool { room.admits(requester.client, requester.found?.user) }

  func leave() {
    room.submit { [waiter] in $0.endWait(of: waiter, nil) }
  }
}
