/** Compares a proof with the round, its felt, and the hash shown before the bets. */

import type { Cards, RoundRecord, FeltRecord } from "./roundRecord";
import { type CheckMessage, checkMessage } from "./checkMessages";
import type { Place, Proof, DealVerdict } from "./verify";

export interface Check {
  name: Name;
  /** Null if there is no record of one's own to compare with. */
  fine: boolean | null;
  message: CheckMessage;
}

type Name =
  "round" | "felt" | "seen" | "deal" | "cards" | "deck" | "own-seed" | "seeds" | "commitment";

/** The parts of the round on screen that a proof must match. */
export interface ShownRound {
  round: string;
  shoe: { id: string; commitment: string | null; drawn?: number };
  felt: FeltRecord;
  rules: Rules;
}

export interface Rules {
  hash: string;
  deck?: { decks: number; cut_card: unknown };
  deal?: { order?: string[]; direction?: string; at_a_time?: number | null };
}

type When = (at: string) => string;

/** All checks with their messages. A proof is accepted if none is false. */
export function compare(
  proof: Proof,
  verdict: DealVerdict,
  view: ShownRound,
  record: RoundRecord | null,
  formatTime: When = (at) => at,
): Check[] {
  return [
    checkRound(proof, view),
    checkFelt("felt", verdict, view.felt),
    ...(record ? [checkFelt("seen", verdict, record.felt)] : []),
    checkDeal(proof, view),
    ...checkFaults(verdict),
    ...checkDeck(proof, verdict),
    ...checkSeeds(proof, record),
    checkCommitment(proof, verdict, view, record, formatTime),
  ];
}

const check = (name: Name, problem: CheckMessage | null, right: CheckMessage): Check =>
  problem === null ? { name, fine: true, message: right } : { name, fine: false, message: problem };

function checkRound(proof: Proof, { round, shoe, rules }: ShownRound): Check {
  const problem = () => {
    if (proof.round_id === undefined) return checkMessage("verify.round.unnamed");
    if (proof.round_id !== round)
      return checkMessage("verify.round.other", { proof: proof.round_id, round });
    if (proof.shoe.id !== shoe.id)
      return checkMessage("verify.round.other-shoe", { proof: proof.shoe.id, shoe: shoe.id });
    if (proof.round.sheet.hash !== rules.hash) return checkMessage("verify.round.other-rules");
    return null;
  };
  return check("round", problem(), checkMessage("verify.round.same", { round }));
}

/** Every open card in deal order, with no place more or less. */
function checkFelt(where: "felt" | "seen", { places }: DealVerdict, felt: FeltRecord): Check {
  const shownCards = new Map<Place, Cards>([["board", felt.board]]);
  for (const [seat, cards] of Object.entries(felt.seats)) shownCards.set(Number(seat), cards);
  const proven = new Map(places.map((pile) => [pile.place, pile]));
  let count = 0;
  for (const place of new Set([...shownCards.keys(), ...proven.keys()])) {
    const cards = shownCards.get(place) ?? [];
    const { turned, unturned } = proven.get(place) ?? { turned: [], unturned: 0 };
    for (const [n, card] of cards.entries()) {
      if (card === null) continue;
      count += 1;
      if (card === turned[n]) continue;
      const problem = { number: n + 1, place, where, card, proof: turned[n] ?? "none" };
      return { name: where, fine: false, message: checkMessage("verify.felt.card", problem) };
    }
    const proof = turned.length + unturned;
    if (cards.length !== proof) {
      const problem = { place, where, cards: cards.length, proof };
      return { name: where, fine: false, message: checkMessage("verify.felt.count", problem) };
    }
  }
  return { name: where, fine: true, message: checkMessage("verify.felt.same", { count }) };
}

/** Someone who chooses where a deal begins and who gets which card chooses the cards. */
function checkDeal(proof: Proof, { rules, shoe }: ShownRound): Check {
  const { deck } = rules;
  const places = proof.round.actions
    .filter((action) => action.do === "deal")
    .map((action) => action.place ?? "board");
  const expected = dueOrder(rules, places);
  const problem = () => {
    if (deck && proof.shoe.decks !== deck.decks)
      return checkMessage("verify.deal.decks", { decks: proof.shoe.decks, rules: deck.decks });
    const used = proof.drawn > 0 || (proof.format === 2 && proof.shoe.past.length > 0);
    if (used && deck && deck.cut_card === null)
      return checkMessage("verify.deal.used", { cards: proof.drawn });
    if (shoe.drawn !== undefined && proof.drawn !== shoe.drawn)
      return checkMessage("verify.deal.begins", { proof: proof.drawn, round: shoe.drawn });
    if (expected && expected.join() !== places.join()) return checkMessage("verify.deal.order");
    return null;
  };
  return check("deal", problem(), checkMessage("verify.deal.same"));
}

/** The order of the places by the sheet, or null if this page does not know the sheet's order. */
function dueOrder({ deal }: Rules, places: Place[]): Place[] | null {
  const order = deal?.order ?? [];
  if (order.length !== 2 || !order.includes("players")) return null;
  const seats = [...new Set(places.filter((place) => place !== "board"))].map(Number);
  seats.sort((a, b) => (deal?.direction === "right-to-left" ? b - a : a - b));
  const board = places.filter((place) => place === "board");
  const hand = seats.length ? (places.length - board.length) / seats.length : 0;
  const hands = dealtTo(seats, hand, deal?.at_a_time ?? hand);
  return order.flatMap((to): Place[] => (to === "players" ? hands : board));
}

/** Deal in turns, a fixed number of cards to each seat. */
function dealtTo(seats: number[], hand: number, most: number): number[] {
  const dealt: number[] = [];
  for (let start = 0; start < hand; start += most)
    for (const seat of seats)
      dealt.push(...Array.from({ length: Math.min(most, hand - start) }, () => seat));
  return dealt;
}

/** Faults found in the cards themselves. */
const checkFaults = ({ faults }: DealVerdict): Check[] =>
  faults.map((message) => ({ name: "cards", fine: false, message }));

/** For auditors only: the whole shoe is open. */
const checkDeck = ({ format, shoe }: Proof, { whole, faults }: DealVerdict): Check[] =>
  format === 2 && whole && faults.length === 0
    ? [
        {
          name: "deck",
          fine: true,
          message: checkMessage("verify.deck.full", { cards: 52 * shoe.decks }),
        },
      ]
    : [];

/** The player's seed must be part of the deal; with it, nobody could choose the cards. */
function checkSeeds({ shoe, format }: Proof, record: RoundRecord | null): Check[] {
  const seedChecks = Object.entries(record?.seeds ?? {}).map(([seat, text]) =>
    check(
      "own-seed",
      shoe.seat_seeds[seat]?.split("\n").includes(text)
        ? null
        : checkMessage("verify.seed.left-out", { seat }),
      checkMessage(format === 1 ? "verify.seed.is-in" : "verify.seed.decided", { seat }),
    ),
  );
  return seedChecks.length || format === 1
    ? seedChecks
    : [checkOthersSeeds(Object.keys(shoe.seat_seeds))];
}

function checkOthersSeeds(seats: string[]): Check {
  const message = seats.length
    ? checkMessage("verify.seeds.of-others", { count: seats.length, seats })
    : checkMessage("verify.seeds.none");
  return { name: "seeds", fine: null, message };
}

function checkCommitment(
  proof: Proof,
  verdict: DealVerdict,
  view: ShownRound,
  record: RoundRecord | null,
  formatTime: When,
): Check {
  const name = "commitment";
  const hash = proof.shoe.commitment;
  const proofKind = proof.format === 1 ? "seed" : "cards";
  const problem = () => {
    if (view.shoe.commitment !== hash)
      return checkMessage("verify.hash.other", {
        proof: hash ?? "none",
        record: view.shoe.commitment ?? "none",
      });
    return verdict.committed === false
      ? checkMessage("verify.hash.not-had", { what: proofKind })
      : null;
  };
  const message = (record && hashMismatch(proof, verdict, record)) ?? problem();
  if (message !== null) return { name, fine: false, message };
  if (hash === null) return { name, fine: null, message: checkMessage("verify.hash.none") };
  if (record?.before)
    return {
      name,
      fine: true,
      message: checkMessage("verify.hash.kept", { what: proofKind, at: formatTime(record.at) }),
    };
  return {
    name,
    fine: null,
    message: checkMessage(record ? "verify.hash.late" : "verify.hash.unseen", { what: proofKind }),
  };
}

/** True if the proof's hashes differ from the recorded ones. */
function hashMismatch(
  { shoe }: Proof,
  { history }: DealVerdict,
  record: RoundRecord,
): CheckMessage | null {
  const { before } = record;
  if (record.shoe !== shoe.id)
    return checkMessage("verify.kept.shoe", { kept: record.shoe, before, proof: shoe.id });
  if (record.commitment !== shoe.commitment)
    return checkMessage("verify.kept.hash", {
      kept: record.commitment ?? "none",
      before,
      proof: shoe.commitment ?? "none",
    });
  if (record.history !== undefined && history === null)
    return checkMessage("verify.kept.kind", { before });
  if (record.history !== undefined && record.history !== history)
    return checkMessage("verify.kept.past", { before });
  return null;
}
