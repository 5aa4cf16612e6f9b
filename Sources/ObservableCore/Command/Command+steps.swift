// SPDX-License-Identifier: MIT

/// Commands in a transaction of several steps: none starts or stops before all steps have passed, so that one
/// which is undone leaves no trace outside the graph.
extension Command {
  var isInSteps: Bool { withPropagation { $0.isInSteps } }

  func launchAfterSteps(_ pending: Pending) -> CommandStart {
    withPropagation { propagation in
      propagation.afterSteps {
        // A later step may have cancelled it.
        if self.isRunning(pending.run) { self.launch(pending) }
      }
    }
    return .started
  }

  /// Ends runs that do not count any more.
  ///
  /// - Parameters:
  ///   - cancelled: the one among them that was executing.
  ///   - restore: has them count again, if the steps are undone.
  func stopAfterSteps(_ ended: [Pending], cancelled: Pending?, restore: @escaping (Command) -> Void) {
    // A run that was stopped in earnest, before another's start undid it all, stays so.
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
