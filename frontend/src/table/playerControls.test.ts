/** The player's controls: a double press plays once, and no play is made while cards move. */

import type { Command, Seat, View } from "../api/types";
import { expect, test } from "vitest";

import type { FeltSource } from "../live/feltSource";
import { NO_ANIMATION } from "../live/dealTimeline";
import { decideOffer } from "../live/view";
import hiLoDecision from "../live/views/hi-lo-decision.json";
import decision from "../live/views/stud-decision.json";
import { addOns } from "./choices";
import { PlayerControls } from "./playerControls.svelte";
import type { Circle } from "./layout";

/** A table whose next view comes when the test says so. */
class Slow implements FeltSource {
  view: View;
  readonly sheet = null;
  readonly timeline = NO_ANIMATION;
  readonly isAnimationDone = true;
  readonly revealed = "words";
  readonly seated = true;
  readonly viewedPlayer = null;
  busy = false;
  sent: Command[] = [];
  #seen: (() => void)[] = [];

  constructor(view: unknown = decision) {
    this.view = structuredClone(view) as View;
  }

  get mySeats(): Seat[] {
    return this.view.seats.filter((seat) => seat.waiting);
  }

  send(command: Command): Promise<boolean> {
    this.sent.push(command);
    return this.caughtUp().then(() => true);
  }

  caughtUp = (): Promise<void> => new Promise((resolve) => this.#seen.push(resolve));
  refuse = (): void => undefined;

  /** Deliver a view to everyone who waits, with a new decision if one was made. */
  async see(): Promise<void> {
    const [seat] = this.mySeats;
    if (seat && this.sent.length > (seat.plays?.length ?? 0))
      seat.plays = [...(seat.plays ?? []), "1x"];
    for (const resolve of this.#seen.splice(0)) resolve();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

test("a play that is pressed twice is made once", async () => {
  const table = new Slow();
  const controls = new PlayerControls(table);
  void controls.decide("1x");
  void controls.decide("1x");
  for (let n = 0; n < 5; n++) await table.see();
  expect(table.sent.map((command) => "play" in command && command.play)).toEqual(["1x"]);
});

test("insisting twice on a play makes it once", async () => {
  const table = new Slow();
  const controls = new PlayerControls(table);
  void controls.playAnyway("1x");
  void controls.playAnyway("1x");
  for (let n = 0; n < 5; n++) await table.see();
  expect(table.sent).toHaveLength(1);
});

test("the next decision is made when it is on the screen", async () => {
  const table = new Slow();
  const controls = new PlayerControls(table);
  void controls.decide("1x");
  for (let n = 0; n < 3; n++) await table.see();
  void controls.decide("2x");
  for (let n = 0; n < 3; n++) await table.see();
  expect(table.sent.map((command) => "play" in command && command.play)).toEqual(["1x", "2x"]);
});

test("nothing is played while cards move", async () => {
  const table = new Slow();
  table.busy = true;
  await new PlayerControls(table).decide("1x");
  expect(table.sent).toEqual([]);
});

test("a wager that is switched on goes along with the next play, and with that alone (MHL-7)", async () => {
  const table = new Slow(hiLoDecision);
  const controls = new PlayerControls(table);
  const seat = table.mySeats[0]?.seat ?? 0;
  const [double] = addOns(decideOffer(table.view, seat) ?? { choices: [] });
  if (!double) throw new Error("nothing can be doubled");
  controls.toggleAddOn(double);
  void controls.decide("high");
  for (let n = 0; n < 3; n++) await table.see();
  expect(table.sent.map((command) => "play" in command && command.play)).toEqual(["high+double"]);
  expect(controls.addOn).toBe("");
  controls.toggleAddOn(double);
  controls.toggleAddOn(double);
  expect(controls.addOn).toBe("");
});

test("a wager that is refused cannot be switched on", () => {
  const controls = new PlayerControls(new Slow(hiLoDecision));
  const refused = { code: "not-covered", message: "ann has $5 left", clause: null };
  controls.toggleAddOn({ wager: "double", key: "d", cost: "5.00", refused });
  expect(controls.addOn).toBe("");
});

test("a switch says what it adds, whatever it goes along with", () => {
  const table = new Slow(hiLoDecision);
  const offer = decideOffer(table.view, table.mySeats[0]?.seat ?? 0) ?? { choices: [] };
  const costs = offer.choices
    .filter((choice) => choice.plain !== null)
    .map((choice) => choice.cost);
  expect(addOns(offer).map((option) => option.cost)).toEqual([...new Set(costs)]);
});

test("a circle that was settled is meant again when somebody goes there", async () => {
  const table = new Slow();
  const controls = new PlayerControls(table);
  const line = { result: "lose" } as Circle["line"];
  controls.wager = "bonus";
  expect(controls.isSelected({ wager: "bonus", line: null })).toBe(true);
  void controls.decide("1x");
  for (let n = 0; n < 3; n++) await table.see();
  expect(controls.isSelected({ wager: "bonus", line })).toBe(false);
  controls.wager = "bonus";
  expect(controls.isSelected({ wager: "bonus", line })).toBe(true);
});
