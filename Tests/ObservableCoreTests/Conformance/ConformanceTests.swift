// SPDX-License-Identifier: MIT
import Testing

/// The conformance list: claims that hold for the observable core and for its plain twin alike.
@Suite struct `Every system holds to its claims of` {
  @Test(arguments: Claim.propagation, TriedSystem.allCases)
  func `propagation`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.dynamicDependencies, TriedSystem.allCases)
  func `dynamic dependencies`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.cutOff, TriedSystem.allCases)
  func `equality and cut-off`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.laziness, TriedSystem.allCases)
  func `laziness`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.lifecycle, TriedSystem.allCases)
  func `lifecycle`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.midDelivery, TriedSystem.allCases)
  func `coming and going while others are told, scopes and watchers`(claim: Claim, system: TriedSystem) throws {
    try claim.body(system.make())
  }

  @Test(arguments: Claim.nesting, TriedSystem.allCases)
  func `nesting`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.innerWrites, TriedSystem.allCases)
  func `inner writes`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.cycles, TriedSystem.allCases)
  func `cycles`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.batching, TriedSystem.allCases)
  func `batching`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.undoing, TriedSystem.allCases)
  func `undoing`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.untracked, TriedSystem.allCases)
  func `untracked reading`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.errors, TriedSystem.allCases)
  func `errors`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.memory, TriedSystem.allCases)
  func `memory`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.ordering, TriedSystem.allCases)
  func `ordering`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.glitches, TriedSystem.allCases)
  func `freedom from glitches`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }

  @Test(arguments: Claim.events, TriedSystem.allCases)
  func `events`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }
}
