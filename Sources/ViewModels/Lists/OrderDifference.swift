// SPDX-License-Identifier: MIT

/// The fewest steps from one order of keys to another. Each step removes a key, adds one or moves one.
///
/// The keys that stay in place are a longest increasing subsequence of the kept ones (Fredman 1975), so no
/// sequence of such steps is shorter. Each index is that at the time of its step, as in RFC 6902.
struct OrderDifference<Key: Hashable> {
  enum OrderStep: Equatable {
    case remove(at: Int)
    case add(Key, at: Int)
    case move(from: Int, to: Int)
  }

  let steps: [OrderStep]

  /// - Parameters:
  ///   - start: the index of the first key in both orders.
  ///   - limit: the most steps that are worth sending.
  /// - Returns: `nil` if it takes more than `limit` steps.
  init?(from old: [Key], to new: [Key], startingAt start: Int = 0, limit: Int) {
    // Most of a long list stays, at both ends of the change. No key there is hashed.
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let rest = min(old.count, new.count) - prefix
    let suffix = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let (old, new) = (Array(old[prefix...].dropLast(suffix)), Array(new[prefix...].dropLast(suffix)))
    let oldIndex = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
    let newKeys = Set(new)
    let kept = new.compactMap { oldIndex[$0] }
    let stable = Set(Self.longestIncreasing(kept).map { old[$0] })
    // The keys that are removed, those that are added, and the kept ones that move.
    guard (old.count - kept.count) + (new.count - kept.count) + (kept.count - stable.count) <= limit else { return nil }

    let place = start + prefix
    var steps: [OrderStep] = []
    for index in old.indices.reversed() where !newKeys.contains(old[index]) {
      steps.append(.remove(at: place + index))
    }
    var present = old.filter { newKeys.contains($0) }
    // Each key comes right after the one before it, which is in place. Keys that have yet to move may stand
    // between others.
    for (index, key) in new.enumerated() where !stable.contains(key) {
      let from = oldIndex[key] == nil ? nil : present.firstIndex(of: key)
      if let from { present.remove(at: from) }
      let to = index == 0 ? 0 : (present.firstIndex(of: new[index - 1]) ?? 0) + 1
      present.insert(key, at: to)
      if let from {
        steps.append(.move(from: place + from, to: place + to))
      } else {
        steps.append(.add(key, at: place + to))
      }
    }
    self.steps = steps
  }

  /// One of the longest increasing subsequences. O(n log n).
  static func longestIncreasing(_ values: [Int]) -> [Int] {
    // By length: the index of the least value that ends an increasing subsequence of that length.
    var ends: [Int] = []
    var before: [Int?] = []
    before.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      before.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var longest: [Int] = []
    var next = ends.last
    while let index = next {
      longest.append(values[index])
      next = before[index]
    }
    return longest.reversed()
  }
}
