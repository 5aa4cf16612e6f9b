// SPDX-License-Identifier: MIT

/// The access of a command's operation to its owner, which does not keep the owner alive, and works only while
/// the run counts.
///
/// Each `try me()` asks anew. So the code after an `await` does nothing for a run that was cancelled meanwhile,
/// or for an owner that has gone.
public struct CommandOwner<Owner: AnyObject> {
  private weak var owner: Owner?
  private let run: CommandRun

  init(_ owner: Owner?, _ run: CommandRun) {
    self.owner = owner
    self.run = run
  }

  /// The owner. Do not keep it across an `await`: the run would keep it alive.
  ///
  /// - Throws: `CancellationError` if the run was cancelled, or if the owner has gone, which cancels the run.
  public func callAsFunction() throws(CancellationError) -> Owner {
    run.isolation.preconditionIsolated()
    if run.isCancelled { throw CancellationError() }
    if let owner { return owner }
    run.cancel()
    throw CancellationError()
  }
}
