// SPDX-License-Identifier: MIT

/// Commands in a transaction of several steps. No run starts or stops before all steps have passed, so that
/// steps that are undone leave no trace outside the graph.
extension Command {
  var isInSteps: Bool { withPropagation { $0.isInSteps } }

  func launchAfterSteps(_ pending: Pending) -> CommandStart {
    withPropagation { propagation in
      propagation.afterSteps {
        // A later step may have cancelled the run.
        if self.isRunning(pending.run) { self.launch(pending) }
      }
    }
    return .started
  }

  /// Ends runs that no longer count.
  ///
  /// - Parameters:
  ///   - cancelled: the run among them that was executing.
  ///   - restore: makes them count again, if the steps are undone.
  func stopAfterSteps(_ ended: [Pending], cancelled: Pending?, restore: @escaping (Command) -> Void) {
    // A run that was stopped for good stays so, even if the start of another run undoes the transaction.
    var areStopped = false
    withPropagation { propagation in
      propagation.onUndo { [weak self] in
        if let self, !areStopped { restore(self) }
      }
      propagation.afterSteps {
        areStopped = true
        if cancelled?.run.hasBegun == true { self.settle { self.cancelHandler?() } }
        for pending in ended {
          pending.run.stop()
          pending.end(nil)
        }
        self.advance()
      }
    }
  }
}
