// SPDX-License-Identifier: MIT
import ObservableCore

extension Hosted {
  func perform(_ batch: [BatchEntry], _ willDo: (Int) -> Void) throws {
    hadBegun = state.hasBegun
    state.isExpected = true
    defer { state.isExpected = false }
    do {
      try graph.enter {
        try transactionInSteps(name: Trace.isAnyLiving ? "\(batch.count) at once" : "") { settle in
          setTransactionCheck(self)
          for (index, entry) in batch.enumerated() {
            willDo(index)
            if let error = try perform(entry.request) { throw Stopped(index: index, error: error) }
            try settle()
          }
        }
      }
    } catch let tooLong as StateTooLong {
      state.forgetMeasured()
      throw tooLong.error
    } catch let stopped as Stopped {
      // What is wrong with those after it is named as well, as far as it does not depend on the one that stopped it.
      let rest: [BatchEntry?] = batch.enumerated().map { $0.offset > stopped.index ? $0.element : nil }
      throw BatchRefused(entries: [(stopped.index, stopped.error)] + faults(of: rest))
    } catch {
      state.forgetMeasured()
      throw ViewModelFailure(cause: error)
    }
  }

  func faults(of batch: [BatchEntry?]) -> [(index: Int, error: SurfaceError)] {
    graph.enter {
      batch.enumerated().compactMap { index, entry in
        guard let request = entry?.request else { return nil }
        do throws(SurfaceError) { _ = try surface.receive(request, request.path[...], model) } catch {
          return error.isLasting ? (index, error) : nil
        }
        return nil
      }
    }
  }

  /// Does what is asked for, in the transaction that is open.
  ///
  /// - Returns: why it is refused, if it is.
  /// - Throws: what the view model threw, whatever that is.
  private func perform(_ request: SurfaceRequest) throws -> SurfaceError? {
    let change: PreparedChange
    do throws(SurfaceError) { change = try surface.receive(request, request.path[...], model) } catch { return error }
    if let condition = change.condition, (try? condition.get()) != true { return .disabled(request.name) }
    do { try change.perform() } catch let refused as CommandRefused { return refused.error }
    return nil
  }
}

/// Ends a batch at an entry that is refused. Not the refusal itself, which a view model may have thrown.
private struct Stopped: Error {
  let index: Int
  let error: SurfaceError
}
