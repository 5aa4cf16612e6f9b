// SPDX-License-Identifier: MIT
public import Euripus

/// One row of the list: a person, with a command of its own to follow them (S1-9).
public final class PersonViewModel: ViewModel {
  @Observed var id: String
  @Observed var name: String
  @Observed var about: String
  @Observed var isFollowed = false
  lazy var follow = Command(self, PersonViewModel.setFollowed)
  private let service: any FollowService

  init(_ person: Person, _ service: any FollowService) {
    self.service = service
    (id, name, about) = (person.id, person.name, person.about)
  }

  /// Follows the person, or with `false` no longer. An error leaves the known values as they were (S1-5).
  func setFollowed(_ isFollowed: Bool, _ run: CommandRun) async throws -> Bool {
    // Read here, as a row that is put back is made of its id alone.
    let person = Person(id: id, name: name, about: about)
    try await service.setFollowed(person, isFollowed) { run.report($0) }
    self.isFollowed = isFollowed
    return isFollowed
  }

  public static let surface = Surface<PersonViewModel>(
    "person",
    .value("id", \.$id),
    .value("name", \.$name),
    .value("about", \.$about),
    .value("isFollowed", \.$isFollowed),
    .command("follow", \.follow).about("Follows the person, or with false no longer."))
}
