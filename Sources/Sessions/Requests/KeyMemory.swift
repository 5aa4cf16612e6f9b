// SPDX-License-Identifier: MIT
import Storing

/// The requests with a key that a session has decided, and their answers (PROTOCOL §4, "Exactly once"). A
/// value, without a clock and without a lock.
///
/// For a text, the answer is kept for as long as the limits allow; the oldest text is forgotten first. For a
/// name, the last number and its answer are kept.
///
/// If the answers grow too long, the oldest answers are given up before any key is forgotten. A request that is
/// known to be decided cannot take effect twice. A request at work is never forgotten. It may exceed the limits
/// until it is answered, which takes no longer than a command may take.
///
/// Each step costs O(1) on average, and O(names) if an answer has to be given up.
struct KeyMemory: Sendable {
  struct Limits: Sendable {
    var keys = 1_000
    var names = 1_000
    /// The most bytes of keys and answers together. Names take as much of it as they need. Texts are forgotten
    /// if they do not fit beside the names, or take more than three quarters of it.
    var bytes = 256 * 1_024
    /// The time for which a text is remembered, and for which a name is kept after its last use.
    var age: Duration = .seconds(24 * 60 * 60)
  }

  /// The decision on a request.
  enum Decision: Equatable {
    /// The request comes for the first time, and is the next one of its name.
    case new
    case answered(KeptAnswer)
    /// The request was decided, but its answer is not known any more.
    case decided
    /// The first request with this key is at work. This one waits for its answer.
    case atWork
    case refused(Refusal)
  }

  enum Refusal: Equatable {
    /// Earlier requests of this name have not come.
    case outOfOrder(expected: UInt64)
    /// Another request has used the key.
    case reused
    /// All names are taken. One may be free after `retryAfter`.
    case tooManyNames(limit: Int, retryAfter: Duration)
  }

  struct Decided {
    let digest: Digest
    var answer: KeptAnswer?
    var isAtWork: Bool
    var time: ContinuousClock.Instant

    func decision(_ request: KeyedRequest) -> Decision {
      if digest != request.digest {
        // The client has another credential by now, so the digests differ even if the request is the same.
        return request.isMarked && !digest.hasMark(of: request.digest) ? .decided : .refused(.reused)
      }
      if let answer { return .answered(answer) }
      return isAtWork ? .atWork : .decided
    }

    func isAtWork(_ digest: Digest) -> Bool { isAtWork && self.digest == digest }

    mutating func end(with answer: KeptAnswer?, at now: ContinuousClock.Instant) {
      self.answer = answer
      isAtWork = false
      time = now
    }
  }

  struct Counter {
    var number: UInt64
    var last: Decided
  }

  struct Losses: Equatable {
    var keys: Int64 = 0
    var answers: Int64 = 0
  }

  /// The bytes that a key is counted with beside its answer, whatever its length: about as many as its entries
  /// in the tables take.
  static let keyBytes = 160

  private let limits: Limits
  private(set) var texts: [Digest: Decided] = [:]
  /// The keys of `texts` that are not at work, from `head` on, in the order of their answers with the oldest
  /// first.
  private(set) var order: [Digest] = []
  private(set) var head = 0
  /// An index of `order`. No text before it has an answer.
  private var firstAnswered = 0
  private(set) var names: [Digest: Counter] = [:]
  private var answerBytes = 0
  /// The keys that were forgotten and the answers that were given up for want of room.
  private(set) var losses = Losses()
  private let maxNames: Int

  init(limits: Limits = Limits()) {
    self.limits = limits
    // Beside as many names as fit, there is room for the last text, which is never forgotten.
    maxNames = max(1, min(limits.names, limits.bytes / Self.keyBytes - 1))
  }

  /// The bytes that the memory is counted with.
  var bytes: Int { (texts.count + names.count) * Self.keyBytes + answerBytes }
  var textCount: Int { texts.count }
  var nameCount: Int { names.count }
  /// The number of texts that can be forgotten.
  private var kept: Int { order.count - head }

  /// Decides on a request. The caller remembers a new request once it is decided.
  mutating func decision(on request: KeyedRequest, now: ContinuousClock.Instant) -> Decision {
    switch request.key {
    case .text(let text):
      let text = Digest(counted: text)
      forgetAged(now)
      return texts[text]?.decision(request) ?? .new
    case .numbered(let name, let number):
      let name = Digest(counted: name)
      guard let counter = names[name] else {
        if number > 1 { return .refused(.outOfOrder(expected: 1)) }
        return names.count < maxNames ? .new : roomForName(now)
      }
      if number == counter.number { return counter.last.decision(request) }
      if number < counter.number { return .decided }
      return number == counter.number + 1 ? .new : .refused(.outOfOrder(expected: counter.number + 1))
    }
  }

  /// Remembers that a new request was decided.
  ///
  /// - Parameters:
  ///   - answer: its answer; `nil` while it is at work, and for one that is not to be kept.
  ///   - isAtWork: whether its answer comes later.
  mutating func remember(
    _ request: KeyedRequest, _ answer: KeptAnswer?, isAtWork: Bool = false, now: ContinuousClock.Instant
  ) {
    let entry = Decided(digest: request.digest, answer: answer, isAtWork: isAtWork, time: now)
    switch request.key {
    case .text(let text):
      let text = Digest(counted: text)
      texts[text] = entry
      if !entry.isAtWork { order.append(text) }
    case .numbered(let name, let number):
      let name = Digest(counted: name)
      if let before = names[name] {
        answerBytes -= before.last.answer?.size ?? 0
      } else {
        makeRoomForName()
      }
      names[name] = Counter(number: number, last: entry)
    }
    answerBytes += answer?.size ?? 0
    shrink()
  }

  /// Takes the answer of a request that was at work. Does nothing if it is not at work, or if the key's request
  /// is another one.
  ///
  /// - Parameter answer: `nil` for one that is not to be kept.
  mutating func answer(_ request: KeyedRequest, _ answer: KeptAnswer?, now: ContinuousClock.Instant) {
    switch request.key {
    case .text(let text):
      let text = Digest(counted: text)
      guard texts[text]?.isAtWork(request.digest) == true else { return }
      texts[text]?.end(with: answer, at: now)
      order.append(text)
    case .numbered(let name, let number):
      let name = Digest(counted: name)
      guard names[name]?.number == number, names[name]?.last.isAtWork(request.digest) == true else { return }
      names[name]?.last.end(with: answer, at: now)
    }
    answerBytes += answer?.size ?? 0
    shrink()
  }

  // MARK: Restoring

  /// Puts back a text's entry as it was kept. The oldest entry is to come first.
  mutating func restore(_ text: Digest, _ entry: Decided) {
    texts[text] = entry
    order.append(text)
    answerBytes += entry.answer?.size ?? 0
    shrink()
  }

  /// Puts back a name's last number. If there are too many names, the one that was not used for longest is
  /// forgotten.
  mutating func restore(_ name: Digest, _ counter: Counter) {
    names[name] = counter
    answerBytes += counter.last.answer?.size ?? 0
    if names.count > maxNames, let unused { forget(unused.name, unused.counter) }
    shrink()
  }

  // MARK: Forgetting

  private mutating func forgetAged(_ now: ContinuousClock.Instant) {
    while head < order.count, let oldest = texts[order[head]], now - oldest.time >= limits.age { forgetOldest() }
  }

  private mutating func forgetOldest() {
    let text = order[head]
    head += 1
    firstAnswered = max(firstAnswered, head)
    answerBytes -= texts.removeValue(forKey: text)?.answer?.size ?? 0
    if head > 64, head * 2 > order.count {
      order.removeFirst(head)
      firstAnswered -= head
      head = 0
    }
  }

  /// The name that was not used for longest, among those with nothing at work.
  private var unused: (name: Digest, counter: Counter)? {
    var oldest: (name: Digest, counter: Counter)?
    for (name, counter) in names where !counter.last.isAtWork {
      if let oldest, oldest.counter.last.time <= counter.last.time { continue }
      oldest = (name, counter)
    }
    return oldest
  }

  private func roomForName(_ now: ContinuousClock.Instant) -> Decision {
    guard let unused else { return .refused(.tooManyNames(limit: maxNames, retryAfter: .seconds(1))) }
    let age = now - unused.counter.last.time
    return age > limits.age
      ? .new : .refused(.tooManyNames(limit: maxNames, retryAfter: limits.age - age + .seconds(1)))
  }

  private mutating func makeRoomForName() {
    guard names.count >= maxNames, let unused else { return }
    forget(unused.name, unused.counter)
  }

  private mutating func forget(_ name: Digest, _ counter: Counter) {
    names[name] = nil
    answerBytes -= counter.last.answer?.size ?? 0
  }

  /// Gives up the oldest answer, and if there is none the oldest key with nothing at work.
  ///
  /// - Returns: whether there was one.
  mutating func giveUpOldest() -> Bool {
    if giveUpAnswer() {
      losses.answers += 1
      return true
    }
    if kept > 0 { forgetOldest() } else if let unused { forget(unused.name, unused.counter) } else { return false }
    losses.keys += 1
    return true
  }

  private mutating func shrink() {
    while kept > limits.keys || kept > 1 && !isRoomForTexts {
      forgetOldest()
      losses.keys += 1
    }
    while bytes > limits.bytes, giveUpAnswer() { losses.answers += 1 }
  }

  private var isRoomForTexts: Bool {
    kept * Self.keyBytes <= limits.bytes / 4 * 3 && (kept + names.count) * Self.keyBytes <= limits.bytes
  }

  /// Gives up the oldest answer of all texts and names. Returns whether there was one.
  private mutating func giveUpAnswer() -> Bool {
    while firstAnswered < order.count, texts[order[firstAnswered]]?.answer == nil { firstAnswered += 1 }
    let text = firstAnswered < order.count ? order[firstAnswered] : nil
    let name = oldestAnswered
    switch (text.flatMap { texts[$0] }, name.flatMap { names[$0]?.last }) {
    case (let first?, let second?) where first.time > second.time: return giveUpAnswer(of: name)
    case (let first?, _):
      answerBytes -= first.answer?.size ?? 0
      if let text { texts[text]?.answer = nil }
      return true
    case (nil, _?): return giveUpAnswer(of: name)
    case (nil, nil): return false
    }
  }

  /// The name whose answer is the oldest.
  private var oldestAnswered: Digest? {
    var oldest: (name: Digest, time: ContinuousClock.Instant)?
    for (name, counter) in names where counter.last.answer != nil {
      if let oldest, oldest.time <= counter.last.time { continue }
      oldest = (name, counter.last.time)
    }
    return oldest?.name
  }

  private mutating func giveUpAnswer(of name: Digest?) -> Bool {
    guard let name, let answer = names[name]?.last.answer else { return false }
    answerBytes -= answer.size
    names[name]?.last.answer = nil
    return true
  }
}
