// SPDX-License-Identifier: MIT

/** The plain twin of the patch applier: RFC 6902 word by word, on a deep copy, without regard to speed or sharing. */
export function plainApply(document, patch) {
  let root = structuredClone(document);
  const parse = (text) => {
    if (text !== "" && text[0] !== "/") throw new Error("not a pointer");
    return text === "" ? [] : text.slice(1).split("/").map((each) => each.replaceAll("~1", "/").replaceAll("~0", "~"));
  };
  const get = (names) => {
    let node = root;
    for (const name of names) {
      if (Array.isArray(node)) {
        if (!/^(0|[1-9][0-9]*)$/.test(name) || Number(name) >= node.length) throw new Error("no such index");
        node = node[Number(name)];
      } else if (node !== null && typeof node === "object" && Object.keys(node).includes(name)) node = node[name];
      else throw new Error("no such member");
    }
    return node;
  };
  const put = (names, value) => {
    if (names.length === 0) return void (root = value);
    const parent = get(names.slice(0, -1));
    const name = names.at(-1);
    if (Array.isArray(parent)) {
      const index = name === "-" ? parent.length : Number(name);
      if (name !== "-" && !/^(0|[1-9][0-9]*)$/.test(name)) throw new Error("no index");
      if (index > parent.length) throw new Error("past the end");
      parent.splice(index, 0, value);
    } else if (parent !== null && typeof parent === "object") parent[name] = value;
    else throw new Error("no container");
  };
  const take = (names) => {
    if (names.length === 0) throw new Error("the root stays");
    const value = get(names);
    const parent = get(names.slice(0, -1));
    if (Array.isArray(parent)) parent.splice(Number(names.at(-1)), 1);
    else delete parent[names.at(-1)];
    return value;
  };
  for (const operation of patch) {
    const { op, path, from, value } = operation;
    const names = parse(path);
    if ((op === "add" || op === "replace") && !("value" in operation)) throw new Error("no value");
    if (op === "add") put(names, structuredClone(value));
    else if (op === "remove") take(names);
    else if (op === "replace") {
      get(names);
      if (names.length) {
        const parent = get(names.slice(0, -1));
        parent[names.at(-1)] = structuredClone(value);
      } else root = structuredClone(value);
    } else if (op === "move" && from === path) get(names);
    else if (op === "move" && path.startsWith(from + "/")) throw new Error("into itself");
    else if (op === "move") put(names, take(parse(from)));
    else throw new Error("unknown operation");
  }
  return root;
}
