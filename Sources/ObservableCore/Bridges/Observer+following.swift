// SPDX-License-Identifier: MIT

extension Observer {
  /// Invokes the observer with each element of `elements`, on the actor that uses its graph. So a view model
  /// follows values outside its session.
  ///
  /// ```swift
  /// storeDidChange.handle(self) { me, library in me.library.value = library }
  /// storeDidChange.follow(store.libraries, name: "libraries")
  /// ```
  ///
  /// It begins as soon as that actor is known, which for a hosted view model is right after it was made. Each
  /// element is one transaction, and an error undoes it; the next element is taken all the same. It goes on until
  /// the sequence ends or throws, the observer goes, the graph is closed, or the returned ``Following`` is disposed of.
  ///
  /// - Parameters:
  ///   - name: the sequence, as the log names it.
  ///   - isolation: the actor where it follows: that of the caller, or else that of the observer's graph.
  ///   - onError: gets the error of the sequence, of the handler, or of the observers that its writes reached. In
  ///     a session, without it, the log has such an error. Elsewhere it is a programming error and ends the process.
  /// - Returns: the following, which shows its last error, and can be ended.
  @discardableResult
  public func follow<Elements: AsyncSequence & SendableMetatype>(
    _ elements: Elements, name: StaticString = "", isolation: (any Actor)? = #isolation,
    onError: ((any Error) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) -> Following where Elements.Element == Value {
    let make = {
      let origin = Origin(name: "\(name)", file: "\(file)", line: Int(line))
      let lastError = Observable<(any Error)?>(nil, cutOff: .never, name: name, file: file, line: line)
      return FollowingLoop(elements, by: self, origin, lastError, onError)
    }
    // A member of the observer's graph, whichever graph is entered: it ends with the observer's graph.
    let following: Following = graph.map { $0.enter(make) } ?? make()
    let bag = followings ?? DisposeBag()
    followings = bag
    if graph?.isClosed == true {
      following.dispose()
    } else if let isolation = isolation ?? graph?.isolation {
      following.begin(on: isolation)
    } else if let graph {
      graph.whenIsolated.append { following.begin(on: $0) }
    } else {
      // A programming error: there is no actor, and no graph that could get one.
      stopProgram(
        "an observer follows a sequence outside every actor",
        expected: "the caller to be on one, or the observer to belong to a graph",
        remedy: "follow in a view model's 'init', or in a function of an actor", file: file, line: line)
    }
    following.disposed(by: bag)
    return following
  }
}
