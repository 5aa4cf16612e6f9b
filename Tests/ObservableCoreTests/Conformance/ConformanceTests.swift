// SPDX-License-Identifier: MIT
import Testing

/// The conformance list: claims that hold for the observable core and for its plain twin alike.
@Suite struct `The core and its plain twin` {
  static let claims = [
    Claim.propagation, Claim.lateHandlers, Claim.dynamicDependencies, Claim.cutOff, Claim.equalResults, Claim.laziness,
    Claim.lifecycle, Claim.midDelivery, Claim.closedScopes, Claim.nesting, Claim.innerWrites, Claim.cycles,
    Claim.batching, Claim.undoing, Claim.failingFormulas, Claim.untracked, Claim.errors, Claim.memory, Claim.inputs,
    Claim.ordering, Claim.chains, Claim.glitches, Claim.diamonds, Claim.grids, Claim.events,
  ].flatMap { $0 }

  @Test(arguments: claims, TriedSystem.allCases)
  func `hold to each claim`(claim: Claim, system: TriedSystem) throws { try claim.body(system.make()) }
}
