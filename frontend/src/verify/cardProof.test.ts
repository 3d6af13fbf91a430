/** Card-by-card proofs: any exchanged card is detected. */

import { expect, test } from "vitest";

import { compare, type ShownRound } from "./compare";
import type { RoundRecord } from "./roundRecord";
import type { DealPast as Past } from "../api/types";
import { positions } from "./dealOrder";
import { checkText } from "./checkMessages";
import { groupByPlace, placesDealt } from "./places";
import { type CardProof, verify } from "./verify";

// Proofs exported from a table, which the Python verifier checks too. Both must agree.
const proofs = import.meta.glob<CardProof>("./proofs/cards/*.json", {
  eager: true,
  import: "default",
});
const loadProof = (name: string): CardProof =>
  structuredClone(proofs[`./proofs/cards/${name}.json`]) as CardProof;
const player = (): CardProof => loadProof("stud-of-a-player");
const auditor = (): CardProof => loadProof("stud-of-the-auditor");

test.each(Object.entries(proofs))("%s agrees", (_, proof) => {
  const verdict = verify(proof);
  expect(verdict.faults).toEqual([]);
  expect(verdict.differences).toEqual([]);
  expect([verdict.committed, verdict.agrees]).toEqual([true, true]);
});

test("a player's proof keeps another's folded hand closed, the auditor's opens it", () => {
  const [playerProof, whole] = [verify(player()), verify(auditor())];
  expect(playerProof.places.at(-1)).toEqual({ place: 2, turned: [null, null], unturned: 0 });
  expect(whole.places.at(-1)?.turned).not.toContain(null);
  expect([playerProof.whole, whole.whole]).toEqual([false, true]);
  const text = JSON.stringify({ cards: player().cards, actions: player().round.actions });
  for (const card of whole.places.at(-1)?.turned ?? []) expect(text).not.toContain(`"${card}"`);
  const salts = auditor().deck ?? [];
  for (const { position, card } of player().cards)
    expect(text.includes(salts[position]?.[1] ?? "")).toBe(card !== undefined);
});

/** The first cards that a document opens. */
const openedCards = (proof: CardProof) => proof.cards.filter((card) => card.card !== undefined);
const first = (proof: CardProof) => openedCards(proof)[0] as Required<CardProof["cards"][number]>;

const CHEATS: [string, (proof: CardProof) => void, RegExp][] = [
  [
    "another card",
    (proof) => (first(proof).card = first(proof).card === "2c" ? "2d" : "2c"),
    /was not fixed/,
  ],
  [
    "two positions swapped",
    ({ cards }) => cards.splice(0, 2, ...cards.slice(0, 2).reverse()),
    /the seeds choose/,
  ],
  ["a shorter path", (proof) => first(proof).path.pop(), /was not fixed/],
  ["a longer path", (proof) => first(proof).path.push("00".repeat(32)), /was not fixed/],
  [
    "a node shown as a leaf",
    (proof) => (first(proof).salt = first(proof).path.shift() ?? ""),
    /was not fixed/,
  ],
  [
    "another shoe's path",
    (proof) => (first(proof).path = first(loadProof("hi-lo-deep-in-the-shoe")).path),
    /was not fixed/,
  ],
  ["another shoe", ({ shoe }) => (shoe.id = "t1-shoe-000002"), /was not fixed/],
  ["a seed left out", ({ shoe }) => delete shoe.seat_seeds["2"], /the seeds choose/],
  ["a seed slipped in", ({ shoe }) => (shoe.seat_seeds["3"] = "ground"), /the seeds choose/],
  [
    "a card opened that is somebody else's",
    (proof) => {
      const closed = proof.cards.find((card) => card.card === undefined);
      Object.assign(closed ?? {}, { card: "2c", salt: "00".repeat(32), path: [] });
    },
    /hidden in the round/,
  ],
];

test.each(CHEATS)("%s is found out", (_, cheat, message) => {
  const proof = player();
  cheat(proof);
  const verdict = verify(proof);
  expect(verdict.agrees).toBe(false);
  expect(verdict.faults.map(checkText).join(" ")).toMatch(message);
});

test("a card that is said and not opened is a difference", () => {
  const proof = player();
  proof.cards[0] = { position: first(proof).position };
  expect(verify(proof).differences).toMatchObject([{ place: "board", dealt: "nothing" }]);
});

test("an auditor finds a card that is in the deck twice", () => {
  const proof = auditor();
  const [first, other] = proof.deck ?? [];
  if (first && other) other[0] = first[0];
  const verdict = verify(proof);
  expect(verdict.faults.map(checkText).join(" ")).toMatch(
    /deck doesn't match the hash.*deck is not complete/,
  );
});

test("another past of the shoe chooses other positions", () => {
  const proof = loadProof("hi-lo-deep-in-the-shoe");
  const [past] = proof.shoe.past;
  if (past) past.seat_seeds["1"] = "another";
  expect(verify(proof).faults.map(checkText).join(" ")).toContain("the seeds choose");
  proof.drawn -= 1;
  expect(() => verify(proof)).toThrow("the shoe's history has");
});

/** The auditor's proof with a forged history, which a casino that knows the seeds could build. */
function ground(past: Past[]): CardProof {
  const proof = auditor();
  const { shoe, round, deck = [] } = proof;
  const chosen = positions(shoe.commitment, past, shoe.seat_seeds, 52, proof.cards.length);
  shoe.past = past;
  proof.drawn = past.reduce((sum, entry) => sum + entry.cards, 0);
  proof.cards = chosen.map((position) => ({ position }));
  const piles = groupByPlace(placesDealt(round.actions), chosen);
  for (const action of round.actions)
    if (action.do === "turn")
      action.card = deck[piles.get(action.place ?? "board")?.shift() ?? -1]?.[0];
  return proof;
}

const INVENTED: [string, Past[]][] = [
  ["a deal of no cards", [{ cards: 0, seat_seeds: { "7": "x1" } }]],
  [
    "a deal that another takes back",
    [
      { cards: 5, seat_seeds: { "7": "x1" } },
      { cards: -5, seat_seeds: {} },
    ],
  ],
];

test.each(INVENTED)("%s in the shoe's past is found out without a browser's memory", (_, past) => {
  const proof = ground(past);
  const verdict = verify(proof);
  expect(verdict.agrees).toBe(false);
  expect(verdict.faults.map(checkText).join(" ")).toContain(
    "An earlier deal from this shoe has no cards.",
  );
});

test("a shoe that is fresh each round has no past, even of no cards", () => {
  for (const cards of [0, 5]) {
    const proof = ground([{ cards, seat_seeds: { "7": "x1" } }]);
    const rules = { hash: proof.round.sheet.hash, deck: { decks: 1, cut_card: null } };
    const checks = compare(proof, verify(proof), { ...shownOf(proof), rules }, null);
    const deal = checks.find((check) => check.name === "deal");
    expect(deal?.fine).toBe(false);
    expect(deal && checkText(deal.message)).toContain("The rules require a new shoe");
  }
});

test("every bit of the first card's opening counts", () => {
  const flipBit = (hex: string, bit: number) =>
    (BigInt(`0x${hex}`) ^ (1n << BigInt(bit))).toString(16).padStart(64, "0");
  for (let bit = 0; bit < 256; bit += 15) {
    const [salt, path] = [player(), player()];
    first(salt).salt = flipBit(first(salt).salt, bit);
    first(path).path[bit % 5] = flipBit(first(path).path[bit % 5] ?? "", bit);
    expect([verify(salt).agrees, verify(path).agrees]).toEqual([false, false]);
  }
});

function shownOf(proof: CardProof): ShownRound {
  const { places } = verify(proof);
  const lay = Object.fromEntries(places.map(({ place, turned }) => [place, turned]));
  const { board = [], ...seats } = lay;
  const felt = { board, seats };
  return {
    round: proof.round_id ?? "",
    shoe: { id: proof.shoe.id, commitment: proof.shoe.commitment, drawn: proof.drawn },
    felt,
    rules: { hash: proof.round.sheet.hash },
  };
}

const recordOfRound = (proof: CardProof, seeds: Record<string, string>): RoundRecord => ({
  shoe: proof.shoe.id,
  commitment: proof.shoe.commitment,
  history: verify(proof).history ?? "",
  before: true,
  at: "2026-11-16T05:00:00Z",
  seeds,
  felt: shownOf(proof).felt,
});

test("with a seed of one's own the house could not choose the cards", () => {
  const proof = loadProof("hi-lo-deep-in-the-shoe");
  const record = recordOfRound(proof, { "1": "cho" }); // A player who left had added a seed before.
  const checks = compare(proof, verify(proof), shownOf(proof), record);
  expect(checks.filter((check) => check.fine !== true)).toEqual([]);
  const seedCheck = checks.find((check) => check.name === "own-seed");
  expect(seedCheck && checkText(seedCheck.message)).toContain(
    "The casino could not have picked these cards",
  );
});

test("a seed that was left out, and a past that was changed since, are told", () => {
  const proof = player();
  const wrong = (record: RoundRecord | null) =>
    compare(proof, verify(proof), shownOf(proof), record)
      .filter((check) => check.fine !== true)
      .map((check) => check.name);
  expect(wrong(recordOfRound(proof, { "1": "another" }))).toEqual(["own-seed"]);
  expect(wrong({ ...recordOfRound(proof, {}), history: "00".repeat(32) })).toEqual([
    "seeds",
    "commitment",
  ]);
  expect(wrong(null)).toEqual(["seeds", "commitment"]);
});

test("an auditor is told that the deck is full, a player is not", () => {
  const deckMessages = (proof: CardProof) =>
    compare(proof, verify(proof), shownOf(proof), null)
      .filter((check) => check.name === "deck")
      .map((check) => checkText(check.message));
  expect(deckMessages(auditor())).toEqual(["The deck is complete: 52 cards."]);
  expect(deckMessages(player())).toEqual([]);
});

test("a deal without any seed says so", () => {
  const proof = player();
  proof.shoe.seat_seeds = {};
  const messages = compare(proof, verify(proof), shownOf(proof), null).map((check) =>
    checkText(check.message),
  );
  expect(messages.join(" ")).toContain("No player added a seed");
});
