// SPDX-License-Identifier: MIT
public import Euripus

/// A list of people to follow (S1). Its rows and their commands do not know of it; it knows of them (S1-12).
public final class FollowViewModel: ViewModel {
  enum Order: String, CaseIterable, JSONRepresentable { case name, followed }

  let people = KeyedList<PersonViewModel>(name: "people")
  let order = Observable(Order.name, name: "order")
  let followed: Computed<Int>
  /// The text of the last failure of any command, until it is dismissed or something new is tried (S1-11).
  let error = Observable<String?>(nil, name: "error")
  let hide = Observer<String>()
  let dismiss = Observer<Void>()

  /// Suggests more people, until there are no more.
  private(set) lazy var suggest = Command<Void, Int>(self, when: hasMore, name: "suggest") { me, _, _ in
    let (service, count) = try (me().service, me().suggested)
    let (people, isLast) = try await service.suggestions(after: count)
    let page = try me()
    try transaction {
      page.add(people)
      page.hasMore.value = !isLast
    }
    return people.count
  }

  private let service: any FollowService
  private let hasMore = Observable(true, name: "hasMore")
  /// How many were suggested so far, those included who were hidden since.
  private var suggested = 0
  /// Told by all commands, the rows' and the page's.
  private let started = Observer<Bool>()
  private let failed = Observer<(any Error)?>()
  private let followedDidChange = Observer<Bool>()

  public init(service: any FollowService = MemoryFollowService()) {
    self.service = service
    followed = Computed(name: "followed") { [people] in people.rows.count { $0.isFollowed.value } }

    started.handle(self) { page, isExecuting in if isExecuting { page.error.value = nil } }
    failed.handle(self) { page, error in
      if let error { page.error.value = (error as? any PresentableError)?.detail ?? "Something went wrong. Try again." }
    }
    followedDidChange.handle(self) { page, _ in page.sort() }
    order.addObserver(Observer(self) { page, _ in page.sort() })
    hide.handle(self) { page, id in page.people.remove(id) }
    dismiss.handle(self) { page, _ in page.error.value = nil }

    started.subscribe(suggest.executing)
    failed.subscribe(suggest.error)
    add(service.remembered)
  }

  private func add(_ suggestions: [Person]) {
    for person in suggestions { people.append(row(person), key: person.id) }
    suggested += suggestions.count
    sort()
  }

  private func row(_ person: Person) -> PersonViewModel {
    let row = PersonViewModel(person, service)
    started.subscribe(row.follow.executing)
    failed.subscribe(row.follow.error)
    followedDidChange.subscribe(row.isFollowed)
    return row
  }

  private func sort() {
    people.sort { [order] left, right in
      let (a, b) = (left.isFollowed.value, right.isFollowed.value)
      return order.value == .followed && a != b ? a : left.name.value < right.name.value
    }
  }

  public static let surface = Surface<FollowViewModel>(
    "follow",
    about: "People to follow: rows with commands that take time, fail, and can be cancelled.",
    .list("people", \.people) { page, id in page.row(Person(id: id, name: "", about: "")) },
    .stored("hasMore", \.hasMore),
    .stored("suggested", \.suggested),
    .twoWay("order", \.order),
    .value("followed", \.followed).about("How many are followed."),
    .value("error", \.error).about("What the last failure of any command said, until it is dismissed."),
    .command("suggest", \.suggest).about("Suggests more people, until there are no more; its result is how many came."),
    .action("hide", \.hide).about("Takes a person off the list, by their id."),
    .action("dismiss", \.dismiss))
}
