// SPDX-License-Identifier: MIT
import HTTPListening
import Locking
import Storing

/// One request on its way to the server that has its session, and the answer on its way back.
///
/// A stream of events is given on piece by piece, and so is a file, which is broken off where it does not come to its end: no more
/// of it is read than one piece ahead of its reader. Any other answer is given on when it is whole.
final class Passage: Sendable {
  enum Outcome: Sendable {
    case whole(HTTPResponse)
    case stream(HTTPResponse, HTTPStream)
    /// The other server does not have the session.
    case released
    /// A server that was not meant has this URL.
    case misdirected
    case failed(NodeFailure)
  }

  private struct State {
    var answer: NodeAnswer?
    var body: [UInt8] = []
    var stream: HTTPStream?
    /// Whether the stream has asked for a piece that has not come yet.
    var isAsked = false
    /// Whether a piece was not taken, so that the other server's answer is not read on.
    var isPaused = false
    var isOver = false
    /// Whether it is a file that has not come to its end.
    var isBroken = false
    var id: UInt64?
    var isGivenUp = false

    /// The number of the request whose answer is to be read on; `nil` if nothing has changed about that.
    mutating func goOn() -> UInt64? {
      guard isPaused, body.isEmpty, let id else { return nil }
      isPaused = false
      return id
    }
  }

  private let client: any NodeClient
  private let isHead: Bool
  private let state = Locked(State())
  private let done: @Sendable (Outcome) -> Void

  /// - Parameter done: called once.
  init(_ client: any NodeClient, _ request: NodeRequest, done: @escaping @Sendable (Outcome) -> Void) {
    (self.client, self.done) = (client, done)
    isHead = request.method == "HEAD"
    let id = client.send(request, takesPiece: { self.takesPiece() }, tell: { self.take($0) })
    let (isGivenUp, isWaiting) = state.withLock { state in
      state.id = id
      return (state.isGivenUp, state.goOn() != nil)
    }
    if isGivenUp { client.giveUp(id) } else if isWaiting { client.goOn(id) }
  }

  /// Gives up the passage: no client waits for it any more, or the other server is gone.
  func giveUp() {
    let id = state.withLock { state in
      state.isGivenUp = true
      return state.id
    }
    if let id { client.giveUp(id) }
  }

  private func take(_ event: NodeEvent) {
    switch event {
    case .head(let status, let fields): begin(NodeAnswer(status: status, fields: fields))
    case .piece(let bytes): add(bytes)
    case .end: end(nil)
    case .failed(let failure): end(failure)
    }
  }

  private func begin(_ answer: NodeAnswer) {
    guard answer.isStream, (200...206).contains(answer.status) else { return state.withLock { $0.answer = answer } }
    let stream = HTTPStream(
      filler: nil, length: answer.isFile ? answer.length : nil, isOpenEnded: !answer.isFile, life: nil
    ) { _ in
      self.asked()
    } ended: { stream, ending in
      switch ending {
      case .clientLeft: break
      // A server that stops lets a file go on until its time is over, and breaks it off then.
      case .stopping where answer.isFile: return
      case .livedOut, .stopping: stream.finish()
      }
      self.giveUp()
    }
    state.withLock { ($0.answer, $0.stream) = (answer, stream) }
    done(.stream(answer.response([]), stream))
  }

  /// Whether a piece may come: not while the stream's reader has not taken the one before.
  private func takesPiece() -> Bool {
    state.withLock { state in
      if state.stream == nil || state.body.isEmpty { return true }
      state.isPaused = true
      return false
    }
  }

  private func add(_ bytes: [UInt8]) {
    let (stream, piece) = state.withLock { state -> (HTTPStream?, [UInt8]) in
      state.body += bytes
      guard let stream = state.stream, state.isAsked else { return (nil, []) }
      defer { (state.body, state.isAsked) = ([], false) }
      return (stream, state.body)
    }
    stream?.send(piece)
  }

  /// Gives the stream its next piece, now or when the piece comes.
  private func asked() {
    let (stream, piece, isOver, isBroken, paused) = state.withLock {
      state -> (HTTPStream?, [UInt8], Bool, Bool, UInt64?) in
      let piece = state.body
      (state.body, state.isAsked) = ([], piece.isEmpty)
      return (state.stream, piece, state.isOver, state.isBroken, state.goOn())
    }
    if isBroken {
      stream?.breakOff()
    } else if isOver {
      stream?.finish(piece)
    } else if !piece.isEmpty {
      stream?.send(piece)
    }
    if let paused { client.goOn(paused) }
  }

  private func end(_ failure: NodeFailure?) {
    let (answer, body, stream, isBroken) = state.withLock { state in
      (state.isOver, state.isBroken) = (true, failure != nil && state.answer?.isFile == true)
      return (state.answer, state.body, state.stream, state.isBroken)
    }
    if let stream {
      // A reader of events that comes back finds the session again.
      if isBroken { stream.breakOff() } else { stream.finish(body) }
    } else if let failure {
      done(.failed(failure))
    } else if let answer {
      switch answer.refusal {
      case "released": done(.released)
      case nil: done(.whole(answer.response(body, isHead: isHead)))
      default: done(.misdirected)
      }
    } else {
      done(.failed(.broken))
    }
  }
}

/// The passage of one request that is under way. It ends when no client waits for it.
final class PassageSlot: Sendable {
  private let state = Locked<(passage: Passage?, isOver: Bool)>((nil, false))

  func put(_ passage: Passage) {
    let isOver = state.withLock { state in
      state.passage = passage
      return state.isOver
    }
    if isOver { passage.giveUp() }
  }

  func giveUp() {
    let passage = state.withLock { state in
      state.isOver = true
      return state.passage
    }
    passage?.giveUp()
  }
}
