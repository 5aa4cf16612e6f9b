// SPDX-License-Identifier: MIT
// expected error: cannot convert '@Sendable (CommandOwner<Model>, Int, CommandRun) async -> Int' to 'nonisolated(nonsending) @Sendable (CommandOwner<Model>, Int, CommandRun) async throws -> Int'
import ObservableCore

final class Model {}

func command(of model: Model) -> Command<Int, Int> {
  Command<Int, Int>(model) { [weak model] _, input, _ in model == nil ? 0 : input }
}
