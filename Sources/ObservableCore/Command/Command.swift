// SPDX-License-Identifier: MIT

/// An action that takes time: an operation whose executing, progress and result can be observed.
///
/// ```swift
/// let follow = Command<User.ID, [User]>(self) { me, id, run in
///   let users = try await service.follow(id)
///   try me().suggestions.value = users
///   return users
/// }
/// ```
///
/// The short form is the safe form: `me()` gives the owner without keeping it alive, and only while the run
/// counts. The operation stays on the actor that called ``execute(_:isolation:)``, before and after each
/// `await`. It runs up to the first of them before `execute` returns. The compiler refuses a closure with a
/// capture list, which would leave the actor: reach the owner by `me()` (S1-7).
///
/// Dropping the command, or closing its graph, cancels the run. The captures of its closures live until both
/// the command and its last run have ended. A run ends when its operation heeds the cancellation of its task.
///
/// It is not `Sendable`: one actor uses it at a time.
public final class Command<Input, Content>: GraphMember {
  typealias Operation = nonisolated(nonsending) (Input, CommandRun) async throws -> Content

  let policy: CommandPolicy
  let condition: ObservableValue<Bool>?
  var operation: Operation?
  /// Whether a run may be done once more after the server has died: it only reads.
  package var isRepeatable = false
  var cancelHandler: (() -> Void)?

  var lastNumber: UInt64 = 0
  /// The run that counts. It is set before the run starts, and cleared before any observer is told of the end.
  var running: Pending?
  /// The inputs that wait, oldest first; only with `.queue`.
  var queue: [Pending] = []
  /// Set while observers are told the result of a run. With `.queue`, an input that comes then waits until they
  /// have been told.
  var isFinishing = false
  /// Set in the loop that starts waiting inputs.
  var isAdvancing = false
  /// Set while the command is corrected after an undone transaction. The writes of that are not corrected, even
  /// if they are undone too.
  var isUndoing = false

  let isExecuting: Observable<Bool>
  let lastProgress: Observable<Double?>
  let lastResult: Observable<CommandResult<Content>?>
  let lastError: Observable<(any Error)?>

  /// Whether the condition is true and, with the policy `.refuse`, no run is executing. While it is false,
  /// ``execute(_:isolation:)`` refuses every input. While it is true, `execute` still refuses an input if the queue
  /// of `.queue` is full, or if the graph was closed.
  ///
  /// If the condition throws, ``ObservableValue/get()`` of this throws too, and `execute` refuses every input.
  public let enabled: ObservableValue<Bool>
  /// Whether an operation runs, or waits to (S1-2).
  public var executing: ObservableValue<Bool> { isExecuting }
  /// The progress that the running operation reports, from 0 to 1; `nil` if it reports none, or if none runs.
  public var progress: ObservableValue<Double?> { lastProgress }
  /// The result of the last run that was not cancelled; `nil` before the first. Each result is a change, even
  /// an equal one (S1-2).
  public var result: ObservableValue<CommandResult<Content>?> { lastResult }
  /// The error of the last run that was not cancelled; `nil` if the run succeeded. Observers can watch it
  /// without the results (S1-5). Each failure is a change. If an observer throws when it is told of a run, this
  /// has its error too.
  public var error: ObservableValue<(any Error)?> { lastError }

  /// Makes a command of `owner`, which it does not keep alive.
  ///
  /// It is enabled only while `condition` is true. `operation` gets the owner, the input and the run.
  /// `onCancel` is called when a run is cancelled, if the owner still lives (S1-6). Errors and traces call the
  /// command by its `name`.
  public init<Owner: AnyObject>(
    _ owner: Owner, policy: CommandPolicy = .refuse, when condition: ObservableValue<Bool>? = nil,
    name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    operation:
      nonisolated(nonsending) @escaping @Sendable (CommandOwner<Owner>, Input, CommandRun) async throws -> Content,
    onCancel: ((Owner) -> Void)? = nil
  ) {
    weak let owner = owner
    self.operation = { input, run in try await operation(CommandOwner(owner, run), input, run) }
    cancelHandler = onCancel.map { handler in
      { if let owner { handler(owner) } }
    }
    self.policy = policy
    self.condition = condition
    let isExecuting = Observable(false, name: name, file: file, line: line)
    self.isExecuting = isExecuting
    let refusesMore = policy == .refuse
    enabled = Computed(name: name, file: file, line: line) {
      let isIdle = !isExecuting.value || !refusesMore
      return try condition?.get() ?? true && isIdle
    }
    lastProgress = Observable(nil, name: name, file: file, line: line)
    lastResult = Observable(nil, cutOff: .never, name: name, file: file, line: line)
    lastError = Observable(nil, cutOff: CutOff { $0 == nil && $1 == nil }, name: name, file: file, line: line)
    super.init()
    isExecuting.isFollowing = true
    lastProgress.isFollowing = true
    lastResult.isFollowing = true
    lastError.isFollowing = true
  }

  deinit { endForGood() }

  override func tearDown() {
    // Observers are not told of later changes.
    for member: GraphMember in [enabled, isExecuting, lastProgress, lastResult, lastError] { member.tearDown() }
    operation = nil
    endForGood()
    cancelHandler = nil
  }
}
