// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// 100,000 nodes in a row, on a stack of 512 KiB, and each of the ways in which they end.
@Suite struct `A chain of 100,000 nodes` {
  @Test func `settles and ends with its last one, made of computeds, each captured by the next`() {
    onSmallStack {
      let source = Observable(0)
      weak var middle: Computed<Int>?
      var last = Computed { source.value }
      for index in 0..<100_000 {
        let input = last
        last = Computed { input.value + 1 }
        _ = last.value
        if index == 50_000 { middle = last }
      }
      let told = Log<Int>()
      last.addObserver(told.observer)
      source.value = 1
      #expect(told.values == [100_001])
      #expect(middle != nil)
      last = Computed { 0 }
      #expect(middle == nil)
    }
  }

  @Test func `settles and ends with its last one, made of combiners, each of the one before`() {
    onSmallStack {
      let source = Observable(0)
      weak var middle: Observable<Int>?
      var last = source
      for index in 0..<100_000 {
        let next = ObservableCombiner<Int>(.every, 0)
        next.combine(last).handle { $0 + 1 }
        last = next
        if index == 50_000 { middle = next }
      }
      source.value = 1
      #expect(last.value == 100_001)
      #expect(middle != nil)
      last = Observable(1)
      #expect(middle == nil)
    }
  }

  @Test func `ends with its first one, made of observables, each written by the observer of the one before`() {
    onSmallStack {
      weak var middle: Observable<Int>?
      var first = Observable(0)
      for index in 0..<100_000 {
        let next = first
        first = Observable(0)
        first.addObserver(Observer { next.value = $0 })
        if index == 50_000 { middle = first }
      }
      #expect(middle != nil)
      first = Observable(1)
      #expect(middle == nil)
    }
  }

  @Test func `leaves nothing when it is closed, made of combiners whose handlers keep each other alive`() {
    onSmallStack {
      final class Next {
        var node: Observable<Int>?
      }
      let graph = Graph()
      weak var middle: Observable<Int>?
      do {
        let source = graph.enter { Observable(0) }
        var last = source
        for index in 0..<100_000 {
          let input = last
          let following = Next()
          let next = graph.enter { ObservableCombiner<Int>(.every, 0) }
          next.combine(input).handle { value in withExtendedLifetime((input, following)) { value + 1 } }
          input.addObserver(Observer { _ in withExtendedLifetime(following) {} })
          following.node = next
          last = next
          if index == 50_000 { middle = next }
        }
        source.value = 1
        #expect(last.value == 100_001)
      }
      #expect(graph.memberCount == 100_001)
      #expect(middle != nil)
      graph.close()
      #expect(graph.memberCount == 0)
      #expect(middle == nil)
    }
  }
}
