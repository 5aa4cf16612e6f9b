// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { fair, test } from "./opened.mjs";
import { assertInStep, open, state } from "./login.mjs";
import { seeds } from "./random.mjs";

test("another view's text arrives at rest, and never in the middle of a person's typing", async () => {
  for (const seed of seeds(20)) {
    const it = await open({ seed, weather: { delay: [5, 200], lose: 0.05, busy: 0.05, down: false }, settle: 10000 });
    const { dice, clock, server } = it;
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

test("a server that forgot everything gets the user name again, and the password is cleared", async () => {
  for (const seed of seeds(20)) {
    const it = await open({ seed });
    const { dice, clock, server, weather } = it;
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
