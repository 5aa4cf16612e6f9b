// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import ObservableCore
import Testing

/// A formula that threads run in turn.
@Suite struct `A formula that several threads run, one after the other` {
  // @unchecked Sendable: one thread at a time uses it.
  private final class Sheet: @unchecked Sendable {
    let (first, second) = (Observable(1), Observable(10))
    var readsBoth = true
    lazy var sum = Computed(self) { sheet in
      sheet.readsBoth ? try sheet.first.get() + sheet.second.get() : try sheet.second.get()
    }
  }

  /// Runs `body` on a new thread, which has run no formula before, and waits for its end.
  private func onNewThread(_ body: @escaping @Sendable () -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    Thread {
      body()
      isOver.signal()
    }.start()
    isOver.wait()
  }

  @Test func `keeps the inputs that it reads, though each thread counts its own runs`() {
    let sheet = Sheet()
    onNewThread { #expect(sheet.sum.value == 11) }
    onNewThread {
      sheet.readsBoth = false
      sheet.first.value = 2
      #expect(sheet.sum.value == 10)
    }
    onNewThread {
      sheet.second.value = 20
      #expect(sheet.sum.value == 20)
    }
  }
}
