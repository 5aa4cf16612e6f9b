// SPDX-License-Identifier: MIT
public import ReactiveShapes

/// The cases in the observable core.
public enum EuripusCases {
  public static func expression(of which: Case) -> Expression {
    .tracking(which, EuripusFramework<Int>.self, EuripusFramework<[Int]>.self, EuripusFramework<Double>.self)
  }
}
