// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertInStep, fair, open, state } from "./login.mjs";

for (const [name, seeds, conditions] of [
  ["slow", 60, { delay: [50, 600], lose: 0, busy: 0, down: false }],
  ["bad", 140, { delay: [5, 300], lose: 0.15, busy: 0.1, down: false }],
]) {
  test(`over a ${name} network, ${seeds} people type at random: no keystroke is lost, a login acts on what was there at its tap, and the page is in step at rest`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const it = await open({ seed, weather: { ...conditions } });
      const { dice, clock, server } = it;
      const mine = new Map([[it.username, ""], [it.password, ""]]);
      const tapped = [];
      const note = () => `seed ${seed}, ${clock.now} ms`;
      for (let step = 0; step < 40; step++) {
        await clock.run(dice.below(dice.chance(0.1) ? 3000 : 250));
        for (const [field, text] of mine) assert.equal(field.value, text, `${note()}: what was typed has changed`);
        const field = dice.pick([it.username, it.username, it.password]);
        field.focus();
        const at = dice.chance(0.7) ? field.value.length : dice.below(field.value.length + 1);
        field.setSelectionRange(at, dice.chance(0.1) ? field.value.length : at);
        if (dice.chance(0.15)) {
          tapped.push([...mine.values()].join("\n"));
          it.submit(it.form);
        } else it.type(field, dice.pick(["a", "b", "字", "🙂", "xyz"]));
        mine.set(field, field.value);
        if (dice.chance(0.1)) field.blur();
      }
      Object.assign(it.weather, fair());
      await clock.run(120000);
      it.username.blur();
      it.password.blur();
      await clock.run(1000);
      for (const [field, text] of mine) assert.equal(field.value, text, `${note()}: a keystroke is gone from the page`);
      const { model } = server.only();
      assert.deepEqual([model.username, model.password], [...mine.values()], `${note()}: a keystroke never arrived`);
      for (const login of model.logins) {
        const tap = tapped.indexOf(login);
        assert.ok(tap >= 0, `${note()}: no tap, or no further one, meant the login of ${login}`);
        tapped.splice(0, tap + 1);
      }
      assertInStep(it, note());
      it.close();
    }
  });
}

test("60 times, what another view writes arrives at rest, and never in the middle of what a person types", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const it = await open({ seed, weather: { delay: [5, 200], lose: 0.05, busy: 0.05, down: false } });
    const { dice, clock, server } = it;
    await clock.run(10000);
    const session = server.only();
    it.username.focus();
    let mine = "";
    for (let step = 0; step < 25; step++) {
      await clock.run(dice.below(400));
      if (mine) assert.equal(it.username.value, mine, `seed ${seed}`);
      if (dice.chance(0.3)) server.change(session, (model) => (model.username = `other ${step}`));
      else {
        it.type(it.username, dice.pick(["a", "字"]));
        mine = it.username.value;
      }
      if (dice.chance(0.1)) server.change(session, (model) => (model.password = dice.pick(["", "123456"])));
    }
    Object.assign(it.weather, fair());
    await clock.run(60000);
    it.username.blur();
    await clock.run(1000);
    assertInStep(it, `seed ${seed}`);
    it.close();
  }
});

test("20 times, a server that forgot everything gets the user name again, and the password is cleared", async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const it = await open({ seed });
    const { dice, clock, server, weather } = it;
    await clock.run(500);
    it.username.focus();
    it.type(it.username, "maruko");
    await clock.run(dice.below(200));
    it.password.focus();
    it.type(it.password, "123456");
    await clock.run(dice.below(500));
    weather.down = true;
    server.restart();
    it.username.focus();
    it.username.setSelectionRange(6, 6);
    it.type(it.username, "-chan");
    await clock.run(dice.below(20000));
    assert.match(state(it.document), /retrying|live/, `seed ${seed}`);
    weather.down = false;
    await clock.run(60000);
    assert.equal(it.username.value, "maruko-chan", `seed ${seed}`);
    assert.equal(it.password.value, "", `seed ${seed}`);
    assert.equal(server.only().model.password, "", `seed ${seed}`);
    assert.match(it.find("[data-vm-status]").textContent, /type your password again/);
    assertInStep(it, `seed ${seed}`);
    it.type(it.username, "!");
    assert.equal(it.find("[data-vm-status]").textContent, "", "the notice goes with the next edit");
    it.close();
  }
});
