// SPDX-License-Identifier: MIT
// A to-do list from another program, by the types of its view model.
import { open, Problem, step } from "./client.js";
import type { TodoModel } from "./todo.js";

declare const process: { argv: string[] };

const todo = await open<TodoModel>(process.argv[2], "todo");

await todo.perform("add").catch((error: Problem<TodoModel["problem"]>) => {
  if (error.kind === "action-disabled") console.log(error.kind);
});
await todo.set("draft", "Buy milk");
await todo.perform("add");
const [key] = todo.state.items.order;
const line = () => `${todo.state.items.items[key].text}: ${todo.state.items.items[key].done ? "done" : "open"}`;
console.log(line());
await todo.set(`items/items/${step(key)}/done`, true);
console.log(line());
console.log(todo.state.left, "left");

// Another reader sees the same as the client that makes the change.
const end = new AbortController();
const following = todo.follow(({ items }) => items.order.length === 0 && end.abort(), end.signal);
await todo.perform("remove", key);
await following;
console.log(JSON.stringify(todo.state.items.order));

export const mistakes = () => {
  // @ts-expect-error There is no such action.
  void todo.perform("ad");
  // @ts-expect-error It takes a text.
  void todo.perform("remove", 1);
  // @ts-expect-error It takes a value.
  void todo.perform("remove");
  // @ts-expect-error It cannot be written.
  void todo.set("left", 1);
  // @ts-expect-error It is a text.
  const draft: number = todo.state.draft;
  return draft;
};
