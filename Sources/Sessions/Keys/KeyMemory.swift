// SPDX-License-Identifier: MIT

/// The requests with a key that a session has decided, and their answers (PROTOCOL §4, "Exactly once"): a value, without a
/// clock and without a lock.
///
/// For a text it keeps the answer for as long as the limits allow, the oldest forgotten first. For a name it keeps the last
/// number and that one's answer. Where the answers grow too long the oldest are given up before any key is forgotten: that
/// a request was decided is what keeps it from taking effect twice. One that is at work is not forgotten, whatever the
/// limits are: it comes on top of them until it is answered, which takes no longer than a command may.
///
/// Each step costs O(1) on average; O(names) where an answer has to be given up.
struct KeyMemory: Sendable {
  struct Limits: Sendable {
    var keys = 1_000
    var names = 1_000
    /// The limit of keys and answers together. Names are as many as fit, and texts are forgotten when they do not fit beside them, or
    /// take more than three quarters of it.
    var bytes = 256 * 1_024
    /// How long a text is remembered, and a name after its last use is not forgotten.
    var age: Duration = .seconds(24 * 60 * 60)
  }

  /// The decision on a request.
  enum Decision: Equatable {
    /// It comes for the first time, and is the next of its name.
    case new
    case answered(KeptAnswer)
    /// It was decided; the answer is not known any more.
    case decided
    /// The first one is at work: its answer is waited for.
    case atWork
    case refused(Refusal)
  }

  enum Refusal: Equatable {
    /// Requests of this name before it have not come.
    case outOfOrder(expected: UInt64)
    /// The key is another request's.
    case reused
    /// All names are taken; one may be free then.
    case tooManyNames(limit: Int, retryAfter: Duration)
  }

  struct Decided {
    let digest: Digest
    var answer: KeptAnswer?
    var isAtWork: Bool
    var time: ContinuousClock.Instant

    func decision(_ request: KeyedRequest) -> Decision {
      if digest != request.digest {
        // The client has another credential by now, so it may be the same request.
        return request.isMarked && !digest.hasMark(of: request.digest) ? .decided : .refused(.reused)
      }
      if let answer { return .answered(answer) }
      return isAtWork ? .atWork : .decided
    }

    func isAtWork(_ digest: Digest) -> Bool { isAtWork && self.digest == digest }

    mutating func end(with answer: KeptAnswer, at now: ContinuousClock.Instant) {
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

  /// The bytes that a key is counted with, however long it is, beside its answer: about as many as its places in the
  /// tables take.
  static let keyBytes = 160

  private let limits: Limits
  private(set) var texts: [Digest: Decided] = [:]
  /// The keys of `texts` that are not at work, in the order of their answers, oldest first, from `head` on.
  private(set) var order: [Digest] = []
  private(set) var head = 0
  /// No text before it has an answer.
  private var firstAnswered = 0
  private(set) var names: [Digest: Counter] = [:]
  private var answerBytes = 0
  /// The keys that were forgotten, and the answers given up, because there was no room for them.
  private(set) var losses = Losses()
  private let maxNames: Int

  init(limits: Limits = Limits()) {
    self.limits = limits
    // Beside as many as fit there is room for the one text that is never forgotten, the last.
    maxNames = max(1, min(limits.names, limits.bytes / Self.keyBytes - 1))
  }

  /// The bytes that it is counted with.
  var bytes: Int { (texts.count + names.count) * Self.keyBytes + answerBytes }
  var textCount: Int { texts.count }
  var nameCount: Int { names.count }
  /// The texts that can be forgotten.
  private var kept: Int { order.count - head }

  /// Decides on a request; a new one is to be remembered when it is decided.
  mutating func decision(on request: KeyedRequest, now: ContinuousClock.Instant) -> Decision {
    switch request.key {
    case .text(let text):
      let text = request.place(of: text)
      forgetAged(now)
      return texts[text]?.decision(request) ?? .new
    case .numbered(let name, let number):
      let name = request.place(of: name)
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
  /// - Parameter answer: `nil` if it is at work still.
  mutating func remember(_ request: KeyedRequest, _ answer: KeptAnswer?, now: ContinuousClock.Instant) {
    let entry = Decided(digest: request.digest, answer: answer, isAtWork: answer == nil, time: now)
    switch request.key {
    case .text(let text):
      let text = request.place(of: text)
      texts[text] = entry
      if !entry.isAtWork { order.append(text) }
    case .numbered(let name, let number):
      let name = request.place(of: name)
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

  /// Gives the answer of a request that was at work; of one that is not, or is another under the same key, nothing is done.
  mutating func answer(_ request: KeyedRequest, _ answer: KeptAnswer, now: ContinuousClock.Instant) {
    switch request.key {
    case .text(let text):
      let text = request.place(of: text)
      guard texts[text]?.isAtWork(request.digest) == true else { return }
      texts[text]?.end(with: answer, at: now)
      order.append(text)
    case .numbered(let name, let number):
      let name = request.place(of: name)
      guard names[name]?.number == number, names[name]?.last.isAtWork(request.digest) == true else { return }
      names[name]?.last.end(with: answer, at: now)
    }
    answerBytes += answer.size
    shrink()
  }

  // MARK: Restoring

  /// Puts back a text's entry, as it was kept: the oldest first.
  mutating func restore(_ text: Digest, _ entry: Decided) {
    texts[text] = entry
    order.append(text)
    answerBytes += entry.answer?.size ?? 0
    shrink()
  }

  /// Puts back a name's last number. Beyond the limit the one that was not used for longest is forgotten.
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

  /// The name that was not used for longest, of those that have nothing at work.
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

  /// Gives up the oldest answer, of texts and names. Answers whether there was one.
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
