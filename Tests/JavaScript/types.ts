// SPDX-License-Identifier: MIT
// A page's script in TypeScript: it compiles, which `tsc` checks.
import { mount, root, type EuripusAttributes } from "../../Public/euripus";

const board = root("board") ?? mount(document.querySelector<HTMLElement>("main")!);
const end: () => void = board.follow("people/order", (keys: string[]) => console.log(keys.length));
board.prefer({ languages: ["de-AT"], timeZone: "Europe/Vienna" }).then(() => board.prefer({}));
board.set("draft", "Anna").then(() => board.perform("add")).then(end);
document.addEventListener("vm:error", ({ detail }) => console.log(detail.status, detail.model));
document.addEventListener("vm:state", ({ detail }) => console.log(detail.state === "live"));
document.body.addEventListener("vm:pulse", ({ detail }) => console.log(detail.count));
export const attributes: EuripusAttributes = { "data-vm-do": "add", "data-vm-arg-name": "=x", "data-vm-class-on": "isOn", "data-vm-params-start": "=10", "data-vm-signin": "" };
// @ts-expect-error An attribute that there is not.
export const wrong: EuripusAttributes = { "data-vm-txt": "name" };
