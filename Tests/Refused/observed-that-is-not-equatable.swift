// SPDX-License-Identifier: MIT
// expected error: 'init(wrappedValue:)' is unavailable: the type is not Equatable: say what is no change
import ObservableCore
import ViewModels

struct Plain {}

final class Page { @Observed var plain = Plain() }
