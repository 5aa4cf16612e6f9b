// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { openPage, test } from "./opened.mjs";
import { openPeople } from "./people.mjs";

const field = (value, bounds) => ({ value, error: null, touched: false, bounds });

/** A form with a text, an optional number and a choice, each a field with its rule. */
const registration = {
  name: "registration",
  create: () => ({
    email: field("", { required: true, minlength: 3, maxlength: 20, pattern: ".+@.+" }),
    age: field(null, { min: 18, max: 120, onclick: "alert()" }),
    agrees: field(false, { required: true }),
    password: { error: null, touched: false, bounds: {} },
    height: null,
    sent: 0,
  }),
  view: (model) => structuredClone(model),
  handle(model, method, [name, member], value) {
    if (method === "POST") {
      return { then: () => Object.assign(model.email, { touched: true, error: model.email.value ? null : "needed" }) };
    }
    if (member === undefined) return { then: () => (model[name] = value) };
    const error = name === "age" && value !== null && value < 18 ? "From 18" : null;
    return { then: () => Object.assign(model[name], { value, error, touched: true }) };
  },
};

async function open(markup, prepare) {
  const it = await openPage(`<main data-vm-root="registration">${markup}</main>`, { kind: registration, prepare });
  const type = async (input, value) => {
    input.focus();
    input.value = value;
    it.fire(input, "input");
    await it.clock.run(500);
  };
  const sent = () => it.server.applied.map(({ names, body }) => `${names} ${body}`);
  return { ...it, type, sent };
}

test("a number that is emptied is null, and not a text", async () => {
  const it = await open('<input type="number" data-vm-bind="height"><input type="text">', (model) => (model.height = 7));
  const input = it.find("input");
  assert.equal(input.value, "7");
  await it.type(input, "");
  assert.deepEqual(it.sent(), ["height null"]);
  it.find("[type=text]").focus();
  await it.clock.run(500);
  assert.deepEqual([input.value, it.sent().length], ["", 1]);
  await it.type(input, "8");
  assert.deepEqual(it.sent(), ["height null", "height 8"]);
});

test("a number that was emptied stays so in a new session, as any edit", async () => {
  const it = await open('<input type="number" data-vm-bind="height">', (model) => (model.height = 7));
  await it.type(it.find("input"), "");
  it.server.restart();
  await it.clock.run(5000);
  assert.deepEqual([it.model().height, it.find("input").value], [null, ""]);
});

test("a field's input has the bounds of its rules as attributes, and no other", async () => {
  const it = await open('<input id="a" data-vm-field="email"><input id="b" type="number" step="1" data-vm-field="age"><input id="c" type="checkbox" data-vm-field="agrees">');
  const attributes = (selector) =>
    Object.fromEntries([...it.find(selector).attributes].map(({ name, value }) => [name, value]).filter(([name]) => /^(required|m|pattern|step|on)/.test(name)));
  assert.deepEqual(attributes("#a"), { required: "", minlength: "3", maxlength: "20", pattern: ".+@.+" });
  assert.deepEqual(attributes("#b"), { min: "18", max: "120", step: "1" });
  assert.deepEqual(attributes("#c"), { required: "" });
});

test("a field writes its value, and shows its error once there is one", async () => {
  const it = await open('<input type="number" data-vm-field="age"><p data-vm-text="age/error"></p>');
  const input = it.find("input");
  assert.equal(input.getAttribute("aria-invalid"), "false");
  await it.type(input, "17");
  assert.deepEqual(it.sent(), ["age value 17"]);
  assert.deepEqual([input.getAttribute("aria-invalid"), input.validationMessage, it.find("p").textContent], ["true", "From 18", "From 18"]);
  await it.type(input, "");
  assert.deepEqual([it.sent().at(-1), input.getAttribute("aria-invalid"), it.model().age.value], ["age value null", "false", null]);
});

test("the server's error is shown though this page has not touched the field", async () => {
  const it = await open('<input data-vm-field="email">', (model) => Object.assign(model.email, { touched: true, error: "needed" }));
  assert.equal(it.find("input").getAttribute("aria-invalid"), "true");
});

test("a secret's field is not written, and the typed text stays", async () => {
  const it = await open('<input type="password" data-vm-field="password">');
  await it.type(it.find("input"), "hunter2");
  delete it.model().password.value;
  await it.clock.run(500);
  assert.deepEqual([it.find("input").value, it.sent()], ["hunter2", ['password value "hunter2"']]);
});

test("a form of fields is submitted though the browser would not, and its first invalid field gets the focus", async () => {
  const it = await open('<form data-vm-do="send"><input data-vm-field="email"><button type="submit"></button></form>');
  assert.equal(it.find("form").noValidate, true);
  it.find("button").click();
  await it.clock.run(500);
  assert.deepEqual(it.sent().length, 1);
  assert.deepEqual([it.find("input").getAttribute("aria-invalid"), it.document.activeElement], ["true", it.find("input")]);
});

test("a day is a time of the server's in UTC, or a text, and none of either", async () => {
  const it = await openPeople('<input class="time" type="date" data-vm-bind="time"><input class="text" type="date" data-vm-bind="text">', {
    prepare: (model) => Object.assign(model, { time: "2026-11-23T00:00:00Z", text: "2026-11-24" }),
  });
  const kind = it.server.kind.view;
  it.server.kind.view = (model) => ({ ...kind(model), time: model.time, text: model.text });
  await it.change((model) => (model.heading = "other"));
  const [time, text] = [it.find(".time"), it.find(".text")];
  assert.deepEqual([time.value, text.value], ["2026-11-23", "2026-11-24"]);
  for (const [day, sent] of [["2026-12-01", ["2026-12-01", "2026-12-01"]], ["", [null, ""]]]) {
    for (const input of [time, text]) {
      input.value = day;
      it.fire(input, "input");
    }
    await it.clock.run(1000);
    assert.deepEqual([it.model().time, it.model().text], sent);
    await it.change((model) => (model.time &&= `${day}T00:00:00Z`));
    assert.deepEqual([time.value, text.value], [day, day]);
  }
});

for (const [kind, markup] of [["select-multiple", '<select multiple data-vm-bind="heading"><option>a<option>b</select>'], ["file", '<input type="file" data-vm-bind="heading">']]) {
  test(`an input of the kind ${kind}, which cannot be bound yet, is named in the console and sends nothing`, async () => {
    const it = await openPeople(markup + '<output data-vm-text="heading"></output>');
    const odd = it.find("[data-vm-bind]");
    assert.deepEqual(it.warned, [[`Euripus: people: data-vm-bind="heading" on <${odd.localName}>: ${kind} cannot be bound yet`]]);
    for (const option of odd.options ?? []) option.selected = true;
    for (const event of ["input", "change"]) it.fire(odd, event);
    await it.change((model) => (model.heading = "b"));
    assert.deepEqual([it.find("output").textContent, it.sent("PUT"), it.warned.length], ["b", [], 1]);
  });
}

for (const [markup, first, choose, value] of [
  ['<select data-vm-bind="heading"><option>a<option>b</select>', "a", (field) => (field.value = "b"), "b"],
  ['<input type="checkbox" data-vm-bind="heading">', false, (field) => (field.checked = true), true],
  ['<input type="range" max="9" data-vm-bind="heading">', 3, (field) => (field.value = 7), 7],
  ['<input type="date" data-vm-bind="heading">', "", (field) => (field.value = "2026-11-26"), "2026-11-26"],
]) {
  test(`a choice that tells of its change alone is sent at once under the focus: ${markup}`, async () => {
    const it = await openPeople(markup, { prepare: (model) => (model.heading = first) });
    const field = it.find("[data-vm-bind]");
    field.focus();
    choose(field);
    it.fire(field, "change");
    await it.clock.run(500);
    assert.deepEqual([it.document.activeElement, it.sent("PUT").map(({ body }) => body)], [field, [JSON.stringify(value)]]);
  });
}

test("a list on an element that is no template is named in the console, and throws at no frame", async () => {
  const it = await openPeople('<ul><li data-vm-each="people"><b data-vm-text="title"></b></li></ul><output data-vm-text="heading"></output>');
  assert.match(it.warned[0][0], /data-vm-each="people" on <li>/);
  for (const heading of ["b", "c", "d"]) {
    await it.change((model) => (model.heading = heading));
    assert.equal(it.find("output").textContent, heading);
  }
  assert.deepEqual([it.warned.length, it.reported], [1, []]);
});
