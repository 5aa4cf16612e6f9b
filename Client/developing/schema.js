// SPDX-License-Identifier: MIT
// The paths of a view model, from the server's description of it (`/models/NAME/openapi.json`).

/** The name that stands for each row's key. Kinds may follow it, with a bar between them: then it stands for their rows. */
export const KEY = "*";

/**
 * A name without the kinds of rows.
 * @param {string} name
 */
export const plainName = (name) => (name.startsWith(KEY) ? KEY : name);

export class Description {
  #schemas;
  #state;
  /**
   * The path that the view model's addresses begin with; undefined where it has no address.
   * @type {string | undefined}
   */
  place;
  /**
   * The names of the parameters.
   * @type {string[]}
   */
  params;
  /**
   * The path of each action, as names.
   * @type {string[][]}
   */
  #actions;

  /**
   * @param {any} openAPI
   * @param {string} model
   */
  constructor(openAPI, model) {
    this.#schemas = openAPI.components.schemas;
    const { requestBody, responses } = openAPI.paths["/sessions/" + model].post;
    const opening = responses[201].content["application/json"].schema;
    this.#state = this.#below([opening], "state");
    const [, place] = /^\^(\/.*?)\(?\[/.exec(this.#plain(this.#below([opening], "address"))[0]?.pattern ?? "") ?? [];
    this.place = place?.replaceAll("\\", "");
    const request = requestBody?.content["application/json"].schema;
    this.params = this.#namesOf(request ? this.#below([request], "params") : []);
    this.#actions = Object.keys(openAPI.paths).flatMap((path) => {
      const [, names] = path.split("/actions/");
      return names === undefined ? [] : [names.split("/").map((name) => (name[0] === "{" ? KEY : decodeURIComponent(name)))];
    });
  }

  /**
   * The schemas of the value at a path; none where the path leads nowhere.
   * @param {string[]} names
   */
  #at = (names) => names.reduce((schemas, name) => this.#below(schemas, name), this.#state);

  /**
   * Whether the value at a path is a list of rows, or may be one.
   * @param {string[]} names
   */
  isList = (names) => [["order", "0"], ["items", KEY]].every((more) => this.#at([...names, ...more]).length > 0);

  /** Whether the value at a path is a secret, which a state has only while it is empty. */
  isSecret = (/** @type {string[]} */ names) => this.#plain(this.#at(names)).some((schema) => schema.const === "");

  /**
   * The kinds that a row at a path may have; none where rows have no kind, undefined where they may have any.
   * @param {string[]} names
   * @returns {string[] | undefined}
   */
  kinds(names) {
    return this.#kindsOf(this.#at([...names, "kind"]));
  }

  /** @param {any[]} schemas of a kind */
  #kindsOf(schemas) {
    const known = this.#plain(schemas).map((schema) => schema.enum ?? (Object.hasOwn(schema, "const") ? [schema.const] : undefined));
    return known.every(Boolean) ? known.flat() : undefined;
  }

  /**
   * The first name of a path that the state does not have, with the names that it has there; undefined where it
   * has them all.
   * @param {string[]} names
   * @returns {{ name: string, known: string[] } | undefined}
   */
  missingValue(names) {
    let schemas = this.#state;
    for (const name of names) {
      const next = this.#below(schemas, name);
      if (!next.length) return { name, known: this.#namesOf(schemas) };
      schemas = next;
    }
    return undefined;
  }

  /**
   * The last name of a path that no action has, with the names that there are; undefined where an action has
   * the path.
   * @param {string[]} path
   * @returns {{ name: string, known: string[] } | undefined}
   */
  missingAction(path) {
    const names = path.map(plainName);
    const fits = (/** @type {string[]} */ action) => action.length === names.length && action.every((name, at) => name === KEY || name === names[at]);
    if (this.#actions.some(fits)) return undefined;
    // The actions beside it, where there are any: most mistakes are in the last name.
    const beside = this.#actions.filter((action) => action.slice(0, -1).join("/") === names.slice(0, -1).join("/"));
    const known = beside.length ? beside.map((action) => /** @type {string} */ (action.at(-1))) : this.#actions.map((action) => "/" + action.join("/"));
    return { name: /** @type {string} */ (names.at(-1)), known };
  }

  /**
   * The schemas with references followed and alternatives taken apart.
   * @param {any[]} schemas
   * @returns {any[]}
   */
  #plain(schemas) {
    return schemas.flatMap((schema) => {
      if (schema.$ref) return this.#plain([this.#schemas[schema.$ref.split("/").at(-1)]]);
      const alternatives = schema.oneOf ?? schema.anyOf;
      return alternatives ? this.#plain(alternatives) : [schema];
    });
  }

  /**
   * @param {any[]} schemas
   * @param {string} name
   */
  #below(schemas, name) {
    const isKey = name.startsWith(KEY);
    const below = this.#plain(schemas).flatMap((schema) => {
      const { properties = {}, additionalProperties, items, type } = schema;
      if (Object.hasOwn(properties, name)) return [properties[name]];
      if (additionalProperties) return [additionalProperties === true ? {} : additionalProperties];
      if (items && (/^\d+$/.test(name) || isKey)) return [items];
      // A schema that says nothing allows anything.
      return type === undefined && additionalProperties === undefined ? [{}] : [];
    });
    if (!isKey || name === KEY) return below;
    const kinds = name.slice(KEY.length).split("|");
    return this.#plain(below).filter(({ properties }) => this.#kindsOf([properties?.kind ?? {}])?.some((kind) => kinds.includes(kind)) ?? true);
  }

  /** @param {any[]} schemas */
  #namesOf(schemas) {
    return [...new Set(this.#plain(schemas).flatMap(({ properties = {} }) => Object.keys(properties)))];
  }
}
