// SPDX-License-Identifier: MIT
// expected error: 'nil' is not compatible with expected argument type 'any Actor'
import EventSequences

func schedulerOfNobody() -> ActorScheduler { ActorScheduler() }
