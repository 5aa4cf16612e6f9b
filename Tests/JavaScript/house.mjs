// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { seeded } from "./random.mjs";
import { start } from "./start.mjs";
import { Clock, Server, network, page } from "./world.mjs";

const keys = ["a", "b", "c", "d"];
const idle = () => ({ enabled: true, executing: false, progress: null, result: null, error: null });

/** The part of a title that the server refuses. */
const REFUSED = "✗";

/** A draft that an action makes a thing to do, a note, and rows with a title and a command each. */
const house = {
  name: "house",
  create: () => ({ draft: "", note: "", size: "s", items: [], heading: "", order: [...keys], rows: new Map(keys.map((key) => [key, { title: `${key}:`, follow: idle() }])), started: 0 }),
  view: ({ order, rows, items, started, ...rest }) => structuredClone({ ...rest, items: items.join(), people: { order, items: Object.fromEntries(order.map((key) => [key, rows.get(key)])) } }),
  handle(model, method, [name, , key, member], value) {
    const row = model.rows.get(key);
    if (method === "PUT" && row && value.includes(REFUSED)) return { refused: 422 };
    if (method === "PUT") return { then: () => (row ? (row[member] = value) : (model[name] = value)) };
    if (!row) return model.draft ? { then: () => model.items.push(model.draft) && (model.draft = "") } : { refused: 409 };
    if (method === "DELETE") return { then: () => Object.assign(row.follow, { executing: false, enabled: true }) };
    if (row.follow.executing) return { refused: 409 };
    return { then: () => Object.assign(row.follow, { executing: !!++model.started, enabled: false }) };
  },
};

/** The page of the person of a number, which she says with each command that she starts. */
const markup = (number, debounce) => `<main data-vm-root="house"><h1 data-vm-text="heading"></h1>
  <form data-vm-do="add"><input class="draft" data-vm-bind="draft"><button type="submit"></button></form>
  <p data-vm-text="items"></p><input class="note" data-vm-bind="note"${debounce}>
  ${["s", "m", "l"].map((size) => `<input type="radio" name="size" value="${size}" data-vm-bind="size">`).join("")}
  <ul><template data-vm-each="people"><li data-vm-attr-id="#" data-vm-attr-title="title">
    <input data-vm-bind="title"><button class="do" data-vm-do="follow" data-vm-arg="=${number}"></button><button class="cancel" data-vm-cancel="follow"></button>
  </li></template></ul></main>`;

/** One window on a session, and the person before it. She alone types into the fields that are hers. */
class Person {
  /** The texts that her fields have to show. */
  mine = new Map();
  /** The names of the fields that she has edited in this page, or that it has kept over a reload. */
  edited = new Set();
  /** For each row of hers, all texts that its field has shown. */
  texts = new Map();
  /** For each row of hers, the number of texts when its command was pressed last. */
  pressed = new Map();
  typed = "";
  clicks = 0;
  composing;

  constructor(story, owned, storage) {
    Object.assign(this, { story, owned, number: story.people.length });
    this.open(storage);
  }

  /** Opens the page in a tab with that storage. */
  open(storage) {
    const { clock, dice, server, weather } = this.story;
    const ask = network(server, clock, dice, weather);
    // A page that is gone hears of no answer, and of no time.
    const life = (this.life = { isOver: false });
    const fetch = (...request) => new Promise((done, fail) => ask(...request).then((answer) => life.isOver || done(answer), (error) => life.isOver || fail(error)));
    const own = { get now() { return clock.now; }, set: (act, delay) => clock.set(() => life.isOver || act(), delay), clear: clock.clear };
    this.rows = undefined;
    this.view = page(markup(this.number, dice.pick(["", ' data-vm-debounce="150"', ' data-vm-debounce="blur"'])), { clock: own, dice, storage, fetch });
    Object.defineProperty(this.view.document, "hidden", { get: () => this.hidden ?? false });
    this.view.document.addEventListener("vm:frame", ({ detail }) => this.goOn(detail));
    this.view.document.addEventListener("vm:state", ({ detail }) => detail.state === "expired" && this.lose());
    start(this.view.world);
  }

  get session() {
    return this.story.server.sessions.get(this.view.storage.get("euripus:house")?.split("/").at(-1));
  }

  field(name) {
    const { document } = this.view;
    if (name === "size") return document.querySelector("[name=size]:checked");
    if (name.length > 1) return document.querySelector("." + name);
    this.rows ??= new Map([...document.querySelectorAll("li")].map((each) => [each.id, each]));
    return this.rows.get(name).querySelector("input");
  }

  /** Notes a state that the page shows, and whether the page went back to an older one, which it never may. */
  goOn({ to }) {
    const url = this.view.storage.get("euripus:house");
    const revision = +to.split(".")[1];
    if (url === this.shown?.url && revision < this.shown.revision) this.wentBack = to;
    this.shown = { url, revision };
  }

  /** Notes that the session is lost with everything done in it. The text of a field stays if this page has edited it. */
  lose() {
    if (this.owned.includes("draft")) this.typed = this.edited.has("draft") ? this.draft : "";
    for (const name of [...this.mine.keys()]) {
      if (this.edited.has(name)) continue;
      this.mine.delete(name);
      this.texts.delete(name);
    }
  }

  /** The text of the draft, without the part that is being composed. */
  get draft() {
    const field = this.field("draft");
    const text = this.composing?.field === field ? field.value.slice(0, -this.composing.length) : field.value;
    assert.ok(this.typed.endsWith(text), `${this.story.note()}: the draft shows '${text}' of '${this.typed}'`);
    return text;
  }

  show(field, text, at = text.length) {
    field.value = text;
    field.setSelectionRange(at, at);
    this.note(field);
    this.view.fire(field, "input", { isComposing: !!this.composing });
  }

  type() {
    const { dice } = this.story;
    const name = dice.pick(this.owned);
    const field = this.field(name);
    field.focus();
    const letter = dice.pick(["a", "b", "字", "🙂", "xyz", REFUSED]);
    const at = name === "draft" || dice.chance(0.7) ? field.value.length : dice.below(field.value.length + 1);
    this.show(field, field.value.slice(0, at) + letter + field.value.slice(at), at + letter.length);
    this.record(name, field, letter);
  }

  /** Notes the text of a row's field. */
  note(field) {
    const key = this.owned.find((name) => keys.includes(name) && this.field(name) === field);
    if (key) this.texts.set(key, [...(this.texts.get(key) ?? [`${key}:`]), field.value]);
  }

  /** Takes out of a row's field the text that the server refuses. */
  correct() {
    for (const [name, text] of this.mine) {
      if (!keys.includes(name) || !text.includes(REFUSED)) continue;
      const field = this.field(name);
      field.focus();
      this.show(field, text.replaceAll(REFUSED, ""));
      this.record(name, field);
    }
  }

  record(name, field, letter) {
    this.edited.add(name);
    if (name === "draft") this.typed += letter;
    else this.mine.set(name, field.value);
  }

  async compose() {
    const { dice, clock } = this.story;
    const name = dice.pick(this.owned);
    const field = this.field(name);
    field.focus();
    this.view.fire(field, "compositionstart");
    const before = field.value;
    for (const text of ["n", "ni", "nih"]) {
      this.composing = { field, length: text.length };
      this.show(field, before + text);
      await clock.run(dice.below(200));
      assert.equal(field.value, before + text, `${this.story.note()}: a composition was disturbed`);
    }
    this.composing = undefined;
    field.value = before + "你";
    this.note(field);
    this.record(name, field, "你");
    this.view.fire(field, "compositionend");
  }

  /** Checks that a command of hers, as the server starts it, does not run on an older title than she saw at her press. */
  checkStart(key, title) {
    const newest = this.texts.get(key)?.lastIndexOf(title);
    if (newest !== undefined) assert.ok(newest + 1 >= this.pressed.get(key), `${this.story.note()}: a command ran on '${title}' of ${this.texts.get(key)}`);
  }

  enter() {
    if (this.owned.includes("draft")) this.view.submit(this.view.find("form"));
  }

  click() {
    const key = this.story.dice.pick(keys);
    const control = this.rows?.get(key).querySelector(this.story.dice.pick([".do", ".cancel"]));
    if (control?.className === "do") {
      this.clicks++;
      // A press of a command that is under way is none.
      if (!control.hasAttribute("aria-busy")) this.pressed.set(key, this.texts.get(key)?.length ?? 0);
    }
    if (control) this.view.fire(control, "click");
  }

  blur() {
    this.view.document.activeElement.blur();
  }

  /**
   * Goes to another page, and comes back to this one from the history. Text that is typed meanwhile has claims of
   * its own in typing.test.mjs. A page that is left hears of no refusal, so it sends a command behind a refused text.
   */
  leave() {
    const hasRefused = [...this.mine.values()].some((text) => text.includes(REFUSED));
    if (this.view.find("form [aria-busy]") || (hasRefused && this.view.find(".do[aria-busy]"))) return;
    this.view.fire(this.view.window, "pagehide");
  }

  /** Chooses a size, if the note is hers. */
  choose() {
    if (!this.owned.includes("note")) return;
    const field = this.story.dice.pick([...this.view.document.querySelectorAll("[name=size]")]);
    field.click();
    this.record("size", field);
  }

  /**
   * Loads the page again while there is no connection, once all requests of it have failed. An edit that is not sent is
   * kept if the page knows of that, and an action that is under way has claims of its own in kept.test.mjs.
   */
  async reload() {
    const { clock, weather } = this.story;
    if (!weather.down) return;
    await clock.run(700);
    const { view } = this;
    const { vm } = view.document.documentElement.dataset;
    const isKept = vm === "retrying" || vm === "offline" || !view.find("[data-vm-pending]");
    if (!isKept || !view.storage.get("euripus:house") || view.find("form [aria-busy], .do[aria-busy]")) return;
    const names = ["draft", "note", "size", ...keys];
    this.edited = new Set(names.filter((name) => this.field(name).matches("[data-vm-pending],[data-vm-refused]")));
    if (view.find("[name=size][data-vm-pending]")) this.edited.add("size");
    view.fire(view.window, "pagehide");
    this.life.isOver = true;
    view.close();
    this.open(view.storage);
    // The rows are there at once, and stay the same elements from now on.
    this.field("a");
  }

  turn() {
    this.hidden = !this.hidden;
    this.view.fire(this.view.document, "visibilitychange");
  }

  online(is) {
    this.view.world.navigator.onLine = is;
    this.view.fire(this.view.window, is ? "online" : "offline");
  }

  /** Checks that the typed text is there, whatever happens. */
  check() {
    assert.equal(this.wentBack, undefined, `${this.story.note()}: the page went back`);
    for (const [name, text] of this.mine) assert.equal(this.field(name).value, text, `${this.story.note()}: what was typed has changed`);
    if (this.owned.includes("draft")) this.draft;
  }

  checkAtRest() {
    const note = this.story.note();
    const { view, session, rows } = this;
    const { order, ...model } = session.model;
    this.check();
    assert.equal(view.document.documentElement.dataset.vm, "live", note);
    for (const name of ["draft", "note", "size"]) assert.equal(this.field(name).value, model[name], `${note}: ${name}`);
    assert.equal(view.find("h1").textContent, model.heading, note);
    assert.equal(view.find("p").textContent, model.items.join(), note);
    assert.deepEqual([...view.document.querySelectorAll("li")], order.map((key) => rows.get(key)), note);
    for (const [key, { title, follow }] of model.rows) {
      assert.deepEqual([rows.get(key).title, this.field(key).value], [title, title], note);
      const marks = [".do", ".cancel"].map((each) => rows.get(key).querySelector(each)).map((each) => [each.getAttribute("aria-disabled"), each.getAttribute("aria-busy")]);
      assert.deepEqual(marks, [[String(follow.executing), follow.executing ? "true" : null], [String(!follow.executing), null]], note);
    }
    assert.equal(view.document.querySelectorAll("[data-vm-pending]").length, 0, note);
    for (const [name, text] of this.mine) assert.equal(model.rows.get(name)?.title ?? model[name], text, `${note}: a keystroke never arrived`);
    if (this.owned.includes("draft")) assert.equal([...model.items, model.draft].join(""), this.typed, `${note}: a keystroke is gone, or came twice`);
    const wrong = view.errors.filter(({ type, status }) => !/offline|expired|action-disabled|edit-refused|409|422/.test([type, status]) && status !== 404);
    assert.deepEqual(wrong, [], note);
  }
}

/** Two people before windows of one session, over a bad network, until all is at rest. */
export class Story {
  constructor(seed) {
    this.seed = seed;
    this.dice = seeded(seed);
    this.clock = new Clock();
    this.server = new Server(this.clock, { ...house, handle: (...change) => this.handle(...change) });
    const { frame } = this.server;
    // A server sends the state where it is shorter than the patch. It never is in this model, so chance decides.
    this.server.frame = (session, since) => frame.call(this.server, session, this.dice.chance(0.3) ? undefined : since);
    this.weather = { delay: [5, 40], lose: 0, busy: 0, down: false };
  }

  /** Handles a change of the model, and checks the start of a command. */
  handle(model, method, names, value) {
    const handled = house.handle(model, method, names, value);
    const [, , key, member] = names;
    if (method === "POST" && member === "follow" && handled.then) this.people[value].checkStart(key, model.rows.get(key).title);
    return handled;
  }

  note = () => `seed ${this.seed}, ${Math.round(this.clock.now)} ms`;

  async open() {
    const storage = new Map();
    const people = (this.people = []);
    for (const owned of [["draft", "draft", "a", "b"], ["note", "c", "d"]]) {
      people.push(new Person(this, owned, new Map(storage)));
      await this.clock.run(1000);
      for (const [key, value] of people[0].view.storage) storage.set(key, value);
      people.at(-1).field("a");
    }
    assert.equal(this.server.sessions.size, 1, this.note());
  }

  async run() {
    await this.open();
    const { dice, clock, server, weather, people } = this;
    Object.assign(weather, dice.pick([{ delay: [20, 600] }, { delay: [5, 300], lose: 0.1, busy: 0.1 }, { delay: [1, 60], lose: 0.03, busy: 0.03 }]));
    const steps = [
      [40, (person) => person.type()], [8, (person) => person.compose()], [14, (person) => person.enter()], [8, (person) => person.click()], [5, (person) => person.blur()], [6, (person) => person.correct()], [4, (person) => person.choose()], [6, (person) => person.reload()],
      [2, (person) => person.leave()], [2, (person) => person.turn()], [8, () => this.change()], [2, () => this.break()], [0.3, () => server.restart()],
      [1, () => server.revive()],
    ];
    const total = steps.reduce((sum, [weight]) => sum + weight, 0);
    for (let step = 0; step < 60; step++) {
      await clock.run(dice.below(dice.chance(0.1) ? 3000 : 200));
      people.forEach((person) => person.check());
      let at = dice.random() * total;
      await steps.find(([weight]) => (at -= weight) < 0)[1](dice.pick(people));
    }
    await this.rest();
    people.forEach((person) => person.checkAtRest());
    const started = [...server.sessions.values()].reduce((sum, { model }) => sum + model.started, 0);
    assert.ok(started <= people.reduce((sum, { clicks }) => sum + clicks, 0), `${this.note()}: a command was started twice`);
    people.forEach(({ view }) => view.close());
  }

  change() {
    const { dice, server } = this;
    if (!server.sessions.size) return;
    server.change(server.only(), (model) => {
      if (dice.chance(0.5)) model.order.sort(() => dice.random() - 0.5);
      else if (dice.chance(0.5)) model.heading = `heading ${this.clock.now}`;
      else for (const { follow } of model.rows.values()) follow.enabled = !(follow.executing &&= dice.chance(0.5));
    });
  }

  break() {
    const { dice, weather, people } = this;
    weather.down = !weather.down;
    if (weather.down ? dice.chance(0.5) : true) people.forEach((person) => person.online(!weather.down));
  }

  async rest() {
    Object.assign(this.weather, { delay: [5, 40], lose: 0, busy: 0, down: false });
    for (const person of this.people) {
      person.online(true);
      if (person.hidden) person.turn();
    }
    await this.clock.run(120000);
    this.people.forEach((person) => person.correct());
    await this.clock.run(2000);
    this.people.forEach((person) => person.blur());
    await this.clock.run(2000);
  }
}
