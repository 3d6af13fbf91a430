/** A proof compared with the round and this browser's record: every forgery is named. */

import { describe, expect, test } from "vitest";

import { cardSymbol } from "../words/cards";
import { type Check, compare, type Rules, type ShownRound } from "./compare";
import type { RoundRecord, FeltRecord } from "./roundRecord";
import { checkText } from "./checkMessages";
import { type Place, type SeedProof as Proof, verify } from "./verify";

// Proofs made by `pitbook.shoe.proof.revealed`, as in verify.test.ts.
const proofs = import.meta.glob<Proof>("./proofs/*.json", { eager: true, import: "default" });
const HASH = "5ee7";
const STUD: Rules = {
  hash: HASH,
  deck: { decks: 1, cut_card: null },
  deal: { order: ["community", "players"], direction: "left-to-right", at_a_time: null },
};

function loadProof(name: string, round = "stud-1-000004"): Proof {
  const proof = structuredClone(proofs[`./proofs/${name}.json`]) as Proof;
  proof.round_id = round;
  proof.round.sheet = { hash: HASH, body: {} };
  return proof;
}

/** The felt that a proof leaves behind. */
function feltOf(proof: Proof): FeltRecord {
  const felt: FeltRecord = { board: [], seats: {} };
  const at = (place: Place) => (place === "board" ? felt.board : (felt.seats[place] ??= []));
  for (const { do: what, place = "board" } of proof.round.actions)
    if (what === "deal") at(place).push(null);
  for (const { do: what, place = "board", card } of proof.round.actions)
    if (what === "turn" && card) at(place)[at(place).indexOf(null)] = card;
  return felt;
}

const shownOf = (proof: Proof, rules: Rules = STUD): ShownRound => ({
  round: proof.round_id ?? "",
  shoe: { id: proof.shoe.id, commitment: proof.shoe.commitment, drawn: proof.drawn },
  felt: feltOf(proof),
  rules,
});

const recordOfRound = (proof: Proof): RoundRecord => ({
  shoe: proof.shoe.id,
  commitment: proof.shoe.commitment,
  before: true,
  at: "2026-11-16T05:00:00Z",
  seeds: {},
  felt: feltOf(proof),
});

const right = loadProof("stud");
const [view, record] = [shownOf(right), recordOfRound(right)];
const compareWith = (
  proof: Proof,
  kept: RoundRecord | null = record,
  on: ShownRound = view,
): Check[] => compare(proof, verify(proof), on, kept);
const differs = (checks: Check[]): string[] =>
  checks.filter((check) => check.fine === false).map((check) => check.name);
const messageOf = (check: Check | undefined): string => (check ? checkText(check.message) : "");

test("the right proof agrees in every comparison", () => {
  expect(compareWith(right).map((check) => [check.name, check.fine])).toEqual([
    ["round", true],
    ["felt", true],
    ["seen", true],
    ["deal", true],
    ["commitment", true],
  ]);
  expect(messageOf(compareWith(right).at(-1))).toContain("this browser saved before your bets");
});

test.each(Object.keys(proofs))("%s agrees with its own felt", (path) => {
  const proof = loadProof(path.slice(9, -5));
  const order = path.includes("hi-lo") ? ["players", "dealer"] : ["community", "players"];
  const deck = { decks: proof.shoe.decks, cut_card: proof.drawn ? 52 : null };
  const rules = { ...STUD, deck, deal: { ...STUD.deal, order } };
  expect(differs(compareWith(proof, recordOfRound(proof), shownOf(proof, rules)))).toEqual([]);
});

/** Another round that is valid by itself, with its own shoe, seed, hash and cards. */
const other = (): Proof => loadProof("hi-lo-with-seat-seeds", "stud-1-000005");

const ATTACKS: [string, () => Proof, string][] = [
  ["another round's proof", other, "round"],
  ["another round's proof under this round's id", () => ({ ...other(), round_id: "stud-1-000004" }), "felt"], // prettier-ignore
  ["a proof that names no round", () => ({ ...loadProof("stud"), round_id: undefined as unknown as string }), "round"], // prettier-ignore
  ["another commitment, with its seed", () => ({ ...right, shoe: other().shoe }), "commitment"],
  ["another commitment alone", () => ({ ...right, shoe: { ...right.shoe, commitment: "00".repeat(32) } }), "commitment"], // prettier-ignore
  ["no commitment at all", () => ({ ...right, shoe: { ...right.shoe, commitment: null } }), "commitment"], // prettier-ignore
  ["another shoe's name", () => ({ ...right, shoe: { ...right.shoe, id: "stud-2-shoe-000001" } }), "round"], // prettier-ignore
  ["other rules", () => ({ ...right, round: { ...right.round, sheet: { hash: "other", body: {} } } }), "round"], // prettier-ignore
  ["seats exchanged", () => places((place) => (place === 1 ? 2 : place === 2 ? 1 : place)), "felt"], // prettier-ignore
  ["a seat more", () => more({ do: "deal", place: 3 }), "felt"],
  ["a board card more", () => more({ do: "deal", place: "board" }), "felt"],
  ["a deal that begins later in the shoe", () => ({ ...right, drawn: 7 }), "deal"],
  ["more decks", () => ({ ...right, shoe: { ...right.shoe, decks: 2 } }), "deal"],
  ["cards dealt in another order", () => backwards(), "deal"],
];

const places = (to: (place: Place) => Place): Proof => {
  const proof = loadProof("stud");
  for (const action of proof.round.actions)
    if (action.place !== undefined) action.place = to(action.place);
  return proof;
};
const more = (action: { do: string; place: Place }): Proof => {
  const proof = loadProof("stud");
  proof.round.actions.push(action);
  return proof;
};
const backwards = (): Proof => {
  const proof = loadProof("stud");
  const deals = proof.round.actions.filter((action) => action.do === "deal");
  const there = deals.map((deal) => deal.place);
  deals.forEach((deal) => (deal.place = there.pop() as Place));
  return proof;
};

test.each(ATTACKS)("%s is refused", (_, attack, name) => {
  expect(differs(compareWith(attack()))).toContain(name);
  expect(differs(compareWith(attack(), null))).toContain(name); // Also for a browser without a record.
});

test("each card of each place is compared, and named", () => {
  const turns = right.round.actions.filter((action) => action.do === "turn");
  for (const [n, turn] of turns.entries()) {
    const bent = loadProof("stud");
    const action = bent.round.actions.filter((action) => action.do === "turn")[n];
    if (action) action.card = turns.some((turn) => turn.card === "2c") ? "3c" : "2c";
    const felt = compareWith(bent, null).find((check) => check.name === "felt");
    expect(felt?.fine).toBe(false);
    expect(messageOf(felt)).toContain(`the table showed ${cardSymbol(turn.card ?? "")},`);
  }
});

describe("a house that lies in the proof and in the record alike", () => {
  const forged = { ...other(), round_id: "stud-1-000004" };
  const rules = { ...STUD, deck: { decks: 6, cut_card: null }, deal: {} };

  test("is found out by what this browser kept", () => {
    const checks = compareWith(forged, record, shownOf(forged, rules));
    expect(differs(checks)).toEqual(["seen", "commitment"]);
    expect(messageOf(checks.at(-1))).toContain(
      "Before your bets, this browser saw shoe stud-1-shoe-000001.",
    );
  });

  test("and who kept nothing is told so", () => {
    const checks = compareWith(forged, null, shownOf(forged, rules));
    expect(differs(checks)).toEqual([]);
    expect(checks.at(-1)).toMatchObject({ name: "commitment", fine: null });
    expect(messageOf(checks.at(-1))).toContain("This browser didn't see the hash before the bets.");
  });
});

test("a hash first seen when the bets lay there is no hash from before them", () => {
  const late = compareWith(right, { ...record, before: false }).at(-1);
  expect(late).toMatchObject({ fine: null });
  expect(messageOf(late)).toContain("after the bets were placed");
  const swapped = { ...record, before: false, commitment: "11".repeat(32) };
  expect(differs(compareWith(right, swapped))).toEqual(["commitment"]);
});

test("a seed of one's own must be in the deal", () => {
  const edited = { ...record, seeds: { "1": "my own" } };
  expect(differs(compareWith(right, edited))).toEqual(["own-seed"]);
  const with_it = { ...right, shoe: { ...right.shoe, seat_seeds: { "1": "my own" } } };
  expect(differs(compareWith(with_it, edited))).not.toContain("own-seed");
});

test("a shoe that was shown to open card by card is not proved by a seed", () => {
  const edited = { ...record, history: record.commitment ?? "" };
  expect(differs(compareWith(right, edited))).toEqual(["commitment"]);
});
