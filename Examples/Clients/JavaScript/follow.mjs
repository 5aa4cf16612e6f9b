// SPDX-License-Identifier: MIT
// node follow.mjs http://127.0.0.1:8080
import { open } from "./client.js";

const session = await open(process.argv[2], "follow");
const people = () => session.state.people.order.map((key) => session.state.people.items[key].name).join(", ");
console.log(people());
await session.perform("suggest");
while (session.state.suggest.executing) await session.next();
console.log(people());
