// SPDX-License-Identifier: MIT
public import Euripus

/// One row of the list: a person, with a command of its own to follow them (S1-9).
public final class PersonViewModel: ViewModel {
  let id: Observable<String>
  let name: Observable<String>
  let about: Observable<String>
  let isFollowed = Observable(false, name: "isFollowed")

  /// Follows the person, or with `false` no longer. An error leaves what is known as it was (S1-5).
  private(set) lazy var follow = Command<Bool, Bool>(self, name: "follow") { me, isFollowed, run in
    let (person, service) = try (me().person, me().service)
    try await service.setFollowed(person, isFollowed) { run.report($0) }
    try me().isFollowed.value = isFollowed
    return isFollowed
  }

  /// Part of what is stored: a row that is made again is made of its id alone.
  private var person: Person { Person(id: id.value, name: name.value, about: about.value) }
  private let service: any FollowService

  init(_ person: Person, _ service: any FollowService) {
    self.service = service
    id = Observable(person.id)
    name = Observable(person.name)
    about = Observable(person.about)
    _ = follow
  }

  public static let surface = Surface<PersonViewModel>(
    "person",
    .value("id", \.id),
    .value("name", \.name),
    .value("about", \.about),
    .value("isFollowed", \.isFollowed),
    .command("follow", \.follow).about("Follows the person, or with false no longer."))
}
