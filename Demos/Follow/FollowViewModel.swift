// SPDX-License-Identifier: MIT
public import Euripus

/// A list of people to follow (S1). Its rows and their commands do not know of it; it knows of them (S1-12).
public final class FollowViewModel: ViewModel {
  enum Order: String, CaseIterable, JSONRepresentable { case name, followed }

  let people = KeyedList<PersonViewModel>()
  @Observed var order = Order.name
  lazy var followed = Computed(self) { $0.people.rows.count { $0.isFollowed } }
  /// The text of the last failure of any command, until it is dismissed or something new is tried (S1-11).
  @Observed var error: String?
  @Observed private var hasMore = true
  /// The number of people suggested so far, with those who were hidden since. Observed, so that it is undone with a
  /// cancelled run.
  @Observed private var suggested = 0
  lazy var suggest = Command<Void, Int>(self, FollowViewModel.suggestMore, when: $hasMore)

  private let service: any FollowService
  /// The observer that all commands tell, the rows' and the page's.
  private let started = Observer<Bool>()
  private let failed = Observer<(any Error)?>()
  private let followedDidChange = Observer<Bool>()

  public init(service: any FollowService = MemoryFollowService()) {
    self.service = service
    started.handle(self) { page, isExecuting in if isExecuting { page.error = nil } }
    failed.handle(self) { page, error in
      if let error { page.error = (error as? any PresentableError)?.detail ?? "Something went wrong. Try again." }
    }
    followedDidChange.handle(self) { page, _ in page.sort() }
    $order.addObserver(Observer(self) { page, _ in page.sort() })
    started.subscribe(suggest.executing)
    failed.subscribe(suggest.error)
    add(service.remembered)
  }

  /// Suggests more people, until there are no more.
  func suggestMore() async throws -> Int {
    let (people, isLast) = try await service.suggestions(after: suggested)
    add(people)
    hasMore = !isLast
    return people.count
  }

  func hide(_ id: String) { people.remove(id) }
  func dismiss() { error = nil }

  private func add(_ suggestions: [Person]) {
    for person in suggestions { people.append(row(person), key: person.id) }
    suggested += suggestions.count
    sort()
  }

  private func row(_ person: Person) -> PersonViewModel {
    let row = PersonViewModel(person, service)
    started.subscribe(row.follow.executing)
    failed.subscribe(row.follow.error)
    followedDidChange.subscribe(row.$isFollowed)
    return row
  }

  private func sort() {
    people.sort { left, right in
      order == .followed && left.isFollowed != right.isFollowed ? left.isFollowed : left.name < right.name
    }
  }

  public static let surface = Surface<FollowViewModel>(
    "follow",
    about: "People to follow: rows with commands that take time, fail, and can be cancelled.",
    .list("people", \.people) { page, id in page.row(Person(id: id, name: "", about: "")) },
    .stored("hasMore", \.$hasMore),
    .stored("suggested", \.$suggested),
    .twoWay("order", \.$order).inAddress(.replace),
    .value("followed", \.followed).about("How many are followed."),
    .value("error", \.$error).about("What the last failure of any command said, until it is dismissed."),
    .command("suggest", \.suggest).about("Suggests more people, until there are no more; its result is how many came."),
    .action("hide", FollowViewModel.hide).about("Takes a person off the list, by their id."),
    .action("dismiss", FollowViewModel.dismiss))
}
