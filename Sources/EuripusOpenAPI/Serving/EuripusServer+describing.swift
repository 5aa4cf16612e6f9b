// SPDX-License-Identifier: MIT
public import EuripusServer
public import ViewModels

extension EuripusServer {
  /// A server that describes itself at `/openapi.json`, and each view model at `/models/{name}/openapi.json`. In
  /// development it has a page for each view model at `/models/{name}/page`.
  ///
  /// - Parameter models: the view models to host, each with a name of its own.
  public convenience init(
    _ models: [HostedModelType], configuration: ServerConfiguration = ServerConfiguration()
  ) {
    self.init(
      models, configuration: configuration,
      describe: { surfaces, table in
        Descriptions(
          whole: OpenAPIDocument(surfaces, table).json,
          byModel: surfaces.map { surface in (surface.name, { OpenAPIDocument(of: surface, table).json }) },
          pages: models.map { model in (model.name, { ModelPage(model).served($0) }) })
      })
  }
}
