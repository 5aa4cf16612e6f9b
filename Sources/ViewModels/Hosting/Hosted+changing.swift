// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Hosted {
  @discardableResult
  func apply(_ changes: [Change], by _: String?, _ willDo: (Int) -> Void) throws -> [Int: [UInt8]] {
    hadBegun = state.hasBegun
    whole.isExpected = true
    defer { whole.isExpected = false }
    variables = []
    defer { variables = [] }
    do {
      return try graph.enter {
        if changes.count == 1, !changes[0].isOfAddress {
          try apply(changes[0], willDo)
        } else {
          try applyInSteps(changes, willDo)
        }
      }
    } catch {
      putVariablesBack()
      // The measured texts are of values that were put back.
      state.forgetMeasured()
      switch error {
      case let tooLong as StateTooLong: throw tooLong.error
      case let tooMany as TooManyInvited: throw SurfaceError.tooManyInvited(tooMany)
      case let refusal as RefusedChange:
        // The faults of the later changes are told as well, as far as they do not depend on the refused one.
        let rest: [Change?] = changes.enumerated().map { $0.offset > refusal.index ? $0.element : nil }
        throw ChangesRefused(refusals: [(refusal.index, refusal.error)] + faults(of: rest))
      default: throw ViewModelFailure(cause: error)
      }
    }
  }

  func faults(of changes: [Change?], by _: String?) -> [(index: Int, error: SurfaceError)] {
    graph.enter {
      changes.enumerated().compactMap { index, change in
        guard let change else { return nil }
        do throws(SurfaceError) { _ = try prepared(change) } catch {
          return error.isLasting ? (index, error) : nil
        }
        return nil
      }
    }
  }

  private func apply(_ change: Change, _ willDo: (Int) -> Void) throws -> [Int: [UInt8]] {
    let prepared = try prepare(change, 0)
    // All that follows from the change settles before the database is sealed.
    if prepared.usesDatabase { return try applyInSteps([change], willDo) }
    return try transaction(.undo, name: Trace.isAnyLiving ? change.name : "") {
      setTransactionCheck(self)
      willDo(0)
      return try perform(prepared, 0).map { [0: $0] } ?? [:]
    }
  }

  private func applyInSteps(_ changes: [Change], _ willDo: (Int) -> Void) throws -> [Int: [UInt8]] {
    var results: [Int: [UInt8]] = [:]
    try transactionInSteps(name: Trace.isAnyLiving ? "\(changes.count) at once" : "") { settle in
      setTransactionCheck(self)
      for (index, change) in changes.enumerated() {
        willDo(index)
        let prepared = try prepare(change, index)
        results[index] = try perform(prepared, index)
        try settle()
        if let whenSettled = prepared.whenSettled {
          try whenSettled()
          try settle()
        }
      }
      try database?.seal()
    }
    return results
  }

  private func prepare(_ change: Change, _ index: Int) throws -> PreparedChange {
    do throws(SurfaceError) {
      let prepared = try prepared(change)
      if let condition = prepared.condition, !condition.holds { throw .disabled(change.name) }
      // A row that the change is for has been made by now.
      holdVariables()
      return prepared
    } catch { throw RefusedChange(index: index, error: error) }
  }

  /// Holds the values of the stored variables, which are put back if the change is undone.
  func holdVariables() { if mayHaveVariables { variables.append(StoredVariables(of: model)) } }

  /// Puts the values back, the first ones last: these are from before all changes.
  func putVariablesBack() {
    let held = variables.reversed()
    graph.enter { for each in held { each.putBack() } }
  }

  private func prepared(_ change: Change) throws(SurfaceError) -> PreparedChange {
    if case .address(let address) = change.verb { return try prepareAddress(address) }
    if case .prefer(let languages, let timeZone) = change.verb {
      // A view model without a context does not use the preferences, and those of one member are not a room's.
      return PreparedChange { [context = context?.owner == .room ? nil : context] in
        try context?.prefer(languages: languages, timeZone: timeZone)
      }
    }
    return try surface.prepare(change, change.path[...], model)
  }

  /// Does a change in the transaction that is open.
  ///
  /// - Returns: the JSON of its own result, if it has one.
  /// - Throws: any error of the view model, or `RefusedChange`.
  private func perform(_ change: PreparedChange, _ index: Int) throws -> [UInt8]? {
    do { return try change.perform(database) } catch let refused as CommandRefused {
      throw RefusedChange(index: index, error: refused.error)
    }
  }
}

/// The refusal of a change in a batch, which it ends. It wraps the `SurfaceError`, since a view model may throw
/// one itself.
private struct RefusedChange: Error {
  let index: Int
  let error: SurfaceError
}
