// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// Following changes by an event stream (PROTOCOL §5).
extension Application {
  /// A stream of the frames from `since` on, each computed when the one before has left.
  func stream(_ session: Session, since: Version?) -> HTTPAnswer {
    let follower = nextWaiter()
    let hasBegun = Claim()
    let stream = HTTPStream(
      filler: HTTPStream.Filler(EventStreamText.comment, every: streaming.heartbeat), life: streaming.life
    ) { [host] stream in
      let isFirst = hasBegun.take()
      let ask: @Sendable (isolated Session) -> PollAnswer? = { session in
        session.touch(host.now())
        guard isFirst else { return session.next(for: follower) }
        return session.follow(Waiter(id: follower, since: since) { Self.deliver($0, to: stream) })
      }
      switch session.enter(ask) {
      case .some(let answer): if let answer { Self.deliver(answer, to: stream) }
      case .none: session.submit(ask) { answer in if let answer { Self.deliver(answer, to: stream) } }
      }
    } ended: { [host, streaming] stream, ending in
      switch ending {
      case .clientLeft: break
      case .livedOut, .stopping: stream.finish(EventStreamText.retry(after: streaming.scatteredRetry))
      }
      session.submit { session in
        session.touch(host.now())
        session.endWait(follower, nil)
      }
    }
    let fields = [
      HTTPField("Content-Type", EventStreamText.mediaType), HTTPField("Cache-Control", "no-store, no-transform"),
      HTTPField("X-Accel-Buffering", "no"), Self.changesVary,
    ]
    return .stream(.plain(200, EventStreamText.retry(after: streaming.retry), fields), stream)
  }

  private static func deliver(_ answer: PollAnswer, to stream: HTTPStream) {
    switch answer {
    case .changed(let message): stream.send(EventStreamText.event(message))
    case .displaced(let seconds): stream.finish(EventStreamText.retry(after: .seconds(seconds)))
    // Who comes back, at once, learns that the session is closed.
    case .closed: stream.finish(EventStreamText.retry(after: .zero))
    // Only a poll is told so: a follower just goes on waiting.
    case .unchanged: break
    }
  }
}
