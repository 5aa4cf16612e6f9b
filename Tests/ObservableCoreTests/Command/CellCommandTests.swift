// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// The document's list: a view model of cells, each with a command of its own.
@MainActor @Suite(.timeLimit(.minutes(30))) struct `Commands in a list` {
  final class CellModel {
    let likes = Observable(0)
    private(set) lazy var like = Command<Int, Int>(self) { me, count, _ in
      if count < 0 { throw Refused(reason: "\(count)") }
      try me().likes.value += count
      return count
    }
  }

  final class ListModel {
    let cells = (0..<3).map { _ in CellModel() }
    private(set) lazy var follow = Command<Int, Int>(self) { _, user, _ in
      if user < 0 { throw Refused(reason: "follow") }
      return user
    }
    /// The last error of any command. A failure takes the place of the one before it, and a success leaves it.
    let error = Observable<(any Error)?>(nil, cutOff: .never)

    init() {
      for failure in cells.map(\.like.error) + [follow.error] {
        failure.addObserver(Observer(self) { if let error = $1 { $0.error.value = error } })
      }
    }
  }

  final class Cell {
    var log: [String] = []
    private let reuse = DisposeBag()

    func show(_ model: CellModel) {
      reuse.dispose()
      model.like.result.addObserver(Observer(self) { $0.log.append("liked \($1?.content ?? 0)") }).disposed(by: reuse)
    }

    func didEndDisplaying() { reuse.dispose() }
  }

  let list = ListModel()

  @Test func `S1-9 a cell's command updates that cell alone`() {
    let cells = list.cells.map { model in
      let cell = Cell()
      cell.show(model)
      return cell
    }
    list.cells[1].like.execute(2)
    #expect(cells.map(\.log) == [[], ["liked 2"], []])
    #expect(list.cells.map(\.likes.value) == [0, 2, 0])
  }

  @Test func `S1-10 a cell that is reused N times is told once, by the model it shows`() {
    let cell = Cell()
    for index in 0..<30 { cell.show(list.cells[index % 3]) }
    for model in list.cells { model.like.execute(1) }
    #expect(cell.log == ["liked 1"])
    cell.didEndDisplaying()
    for model in list.cells { model.like.execute(1) }
    #expect(cell.log == ["liked 1"])
  }

  @Test func `S1-10 forgetting the removal neither crashes nor keeps the cell`() {
    var cell: Cell? = Cell()
    cell?.show(list.cells[0])
    weak let gone = cell
    cell = nil
    #expect(gone == nil)
    list.cells[0].like.execute(1)
    #expect(list.cells[0].likes.value == 1)
  }

  @Test func `S1-11 properties of several commands combine`() {
    let busy = Computed { list.cells.contains { $0.like.executing.value } || list.follow.executing.value }
    let summary = ObservableCombiner<String>(.every, "")
    summary.combine(list.cells[0].like.result, list.follow.result).handle {
      "\($0?.content ?? 0) likes, follows \($1?.content ?? 0)"
    }
    list.cells[0].like.execute(3)
    list.follow.execute(7)
    #expect(summary.value == "3 likes, follows 7")
    #expect(!busy.value)
  }

  @Test func `S1-11 one error observed once stands for all commands`() {
    var told: [String] = []
    list.error.addObserver(Observer { told.append(($0 as? Refused)?.reason ?? "none") })
    list.cells[0].like.execute(-1)
    list.cells[2].like.execute(-2)
    list.follow.execute(-1)
    list.follow.execute(1)
    #expect(told == ["-1", "-2", "follow"])
  }

  @Test func `S1-12 a view model does not hold the view that observes its command, and the command outlives it`() async
  {
    let model = FollowModel()
    let command = model.command()
    var view: Cell? = Cell()
    if let view { command.result.addObserver(Observer(view) { $0.log.append("\(String(describing: $1))") }) }
    weak let gone = view
    command.execute(1)
    view = nil
    #expect(gone == nil)
    model.gate.open(4)
    await model.ended.wait()
    #expect(command.result.value?.content == 4)
  }
}
