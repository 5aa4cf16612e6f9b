// SPDX-License-Identifier: MIT
// The server's answers to edits of values that the page shows conflicts of. Whether a text would overwrite another one is
// decided there, by the version that each edit says that it was made of.
import { originOf, valueIn } from "./frames.js";
import { valueAt } from "../values.js";

/** @typedef {import("./conflicts.js").Conflicts} Conflicts */
/** @typedef {import("../types").Request} Request */

/** The status of an edit of a value that somebody else has changed meanwhile. */
const CHANGED = 412;
/** The time after which an edit is sent again, if the state could not be asked for, in milliseconds. */
const PAUSE = 1_000;

/**
 * @param {any} one
 * @param {any} other
 */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Takes note of an answer to a request of this page: what that has made of a value is no news to its person.
 * @param {Conflicts} conflicts
 * @param {Request} item
 * @param {import("../types").Answer} answer
 * @param {string} version the answer's
 */
export function takeNote({ root, places }, item, answer, version) {
  for (const field of root.fields.all) {
    const place = places.of(field.what);
    if (!place || field.conflict) continue;
    const isEdit = item.what === field.what;
    // An action counts for the fields of its element, such as a form that it clears, as far as the text in them is typed on
    // behind the one that the action took ("Typing on").
    const base = item.bases?.find((each) => each.field === field)?.value;
    const isTypedOn = typeof base === "string" && String(field.shown).startsWith(base);
    if (!isEdit && (item.field || (item.bases && !isTypedOn) || (item.node && !item.node.contains(field.node)))) continue;
    const value = valueIn(answer, place.names);
    if (!isEdit && (value === undefined || isSame(value, field.origin?.value))) continue;
    // Where nothing is told of the value, it is as it was, or as it was sent if the answer is not known any more.
    const unchanged = answer.patch ? item.origin?.value : item.value;
    field.origin = originOf(value === undefined ? unchanged : value, version);
    for (const each of root.queue.items) if (each.field === field && !each.n) each.origin = field.origin;
  }
}

/**
 * Looks whether an edit was refused as its value has changed since the version that it was made of. Where the value is
 * the same, and only the version is another one, as after a restart of the server, the edit is to be sent again.
 * @param {Conflicts} conflicts
 * @param {Request} item
 * @param {import("../types").Problem} problem
 * @returns {Promise<boolean>} whether there is nothing else to do about the refusal
 */
export async function settle(conflicts, item, problem) {
  const isSettled = await decide(conflicts, item, problem);
  const { field } = item;
  // The row may have gone in which the person wrote, and the text with it. So the page is told the text.
  if (!isSettled && typeof field?.shown === "string" && !field.node.isConnected) problem.text = field.shown;
  return isSettled;
}

/**
 * @param {Conflicts} conflicts
 * @param {Request} item
 * @param {import("../types").Problem} problem
 */
async function decide(conflicts, item, { status }) {
  const { root, places } = conflicts;
  const { field, origin, what } = item;
  if (status !== CHANGED || !field || !origin) {
    // The edits behind it are made of what it was made of.
    for (const each of root.queue.items) if (each !== item && each.what === what && !each.n) each.origin ??= origin;
    return false;
  }
  try {
    root.take(await root.session.ask("GET", "/changes", {}));
  } catch {
    // The edit goes out once more, and is refused once more.
    await root.waiting.sleep(PAUSE);
    return true;
  }
  const names = places.of(what)?.names;
  const value = names && valueAt(root.tree, names);
  if (field.origin !== origin) {
    // The person has chosen meanwhile, so this edit is not wanted any more.
    root.queue.items = root.queue.items.filter((each) => each !== item);
    root.render();
  } else if (value !== undefined && isSame(value, origin.value)) {
    item.origin = field.origin = originOf(value, root.version);
    item.n = undefined;
  } else {
    // Newer text of the field goes out once the person has chosen.
    conflicts.drop(field);
    field.conflict = value !== undefined;
    return false;
  }
  return true;
}
