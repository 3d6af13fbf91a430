/** A proof held against what it must be of: the round, its felt, and the hash from before the bets. */

import type { Cards, Kept, OnFelt } from "./kept";
import type { Place, Proof, Verdict } from "./verify";

export interface Check {
  name: string;
  /** null: there is nothing of one's own to compare it with. */
  fine: boolean | null;
  said: string;
}

/** The round on the screen, as far as a proof must agree with it. */
export interface Shown {
  round: string;
  shoe: { id: string; commitment: string | null; drawn?: number };
  felt: OnFelt;
  rules: Rules;
}

export interface Rules {
  hash: string;
  deck?: { decks: number; cut_card: unknown };
  deal?: { order?: string[]; direction?: string; at_a_time?: number | null };
}

type When = (at: string) => string;

/** Every comparison with its sentence; a proof is taken where none is false. */
export function compare(
  proof: Proof,
  verdict: Verdict,
  shown: Shown,
  kept: Kept | null,
  when: When = (at) => at,
): Check[] {
  return [
    ofRound(proof, shown),
    ofFelt("Cards on the felt", "on the felt lay", verdict, shown.felt),
    ...(kept ? [ofFelt("Cards you saw", "you saw", verdict, kept.felt)] : []),
    ofDeal(proof, shown),
    ...ofFaults(verdict),
    ...ofDeck(proof, verdict),
    ...ofSeeds(proof, kept),
    ofCommitment(proof, verdict, shown, kept, when),
  ];
}

const check = (name: string, wrong: string | null, right: string): Check =>
  wrong === null ? { name, fine: true, said: right } : { name, fine: false, said: wrong };

function ofRound(proof: Proof, { round, shoe, rules }: Shown): Check {
  const wrong = () => {
    if (proof.round_id === undefined) return "The proof does not say which round it is of.";
    if (proof.round_id !== round)
      return `The proof is of round ${proof.round_id}; on the screen is ${round}.`;
    if (proof.shoe.id !== shoe.id)
      return `The proof is of shoe ${proof.shoe.id}; the round was dealt from ${shoe.id}.`;
    if (proof.round.sheet.hash !== rules.hash)
      return "The proof was played by other rules than the round on the screen.";
    return null;
  };
  return check("Round", wrong(), `The proof is of round ${round}, as on the screen.`);
}

/** Each card that was open, in the order in which it was dealt; and no place more or less. */
function ofFelt(name: string, where: string, { places }: Verdict, felt: OnFelt): Check {
  const lay = new Map<string, Cards>([["the board", felt.board]]);
  for (const [seat, cards] of Object.entries(felt.seats)) lay.set(`seat ${seat}`, cards);
  const proven = new Map(places.map((one) => [one.place, one]));
  let count = 0;
  for (const place of new Set([...lay.keys(), ...proven.keys()])) {
    const cards = lay.get(place) ?? [];
    const { turned, unturned } = proven.get(place) ?? { turned: [], unturned: 0 };
    for (const [n, card] of cards.entries()) {
      if (card === null) continue;
      count += 1;
      if (card !== turned[n])
        return check(
          name,
          `Card ${n + 1} of ${place}: ${where} ${card}, the proof has ${turned[n] ?? "none"}.`,
          "",
        );
    }
    if (cards.length !== turned.length + unturned)
      return check(
        name,
        `${place === "the board" ? "The board" : `Seat ${place.slice(5)}`}: ${where} ${cards.length} cards, the proof has ${turned.length + unturned}.`,
        "",
      );
  }
  return check(name, null, `All ${count} that lay open are the proof's, place by place.`);
}

/** Whoever may choose where a deal begins and to whom a card goes chooses the cards. */
function ofDeal(proof: Proof, { rules, shoe }: Shown): Check {
  const { deck } = rules;
  const places = proof.round.actions
    .filter((one) => one.do === "deal")
    .map((one) => one.place ?? "board");
  const due = dueOrder(rules, places);
  const wrong = () => {
    if (deck && proof.shoe.decks !== deck.decks)
      return `The shoe has ${proof.shoe.decks} decks; the rules ask for ${deck.decks}.`;
    const used = proof.drawn > 0 || (proof.format === 2 && proof.shoe.past.length > 0);
    if (used && deck && deck.cut_card === null)
      return `${proof.drawn} cards are said to be dealt before; the rules ask for a fresh shoe.`;
    if (shoe.drawn !== undefined && proof.drawn !== shoe.drawn)
      return `The proof begins behind ${proof.drawn} cards, the round behind ${shoe.drawn}.`;
    if (due && due.join() !== places.join())
      return "The cards do not go to the places in the order of the rules.";
    return null;
  };
  return check("Deal", wrong(), "Decks, first card and order of the deal are those of the rules.");
}

/** Where the cards go by the sheet; null for an order that this page does not know. */
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

/** Round by round, so many at a time to each seat. */
function dealtTo(seats: number[], hand: number, most: number): number[] {
  const dealt: number[] = [];
  for (let start = 0; start < hand; start += most)
    for (const seat of seats)
      dealt.push(...Array.from({ length: Math.min(most, hand - start) }, () => seat));
  return dealt;
}

/** What the cards themselves gave away. */
const ofFaults = ({ faults }: Verdict): Check[] =>
  faults.map((said) => ({ name: "Cards", fine: false, said }));

/** What an auditor is shown: the whole shoe. */
const ofDeck = ({ format, shoe }: Proof, { whole, faults }: Verdict): Check[] =>
  format === 2 && whole && faults.length === 0
    ? [{ name: "Deck", fine: true, said: `All ${52 * shoe.decks} cards are there, and no other.` }]
    : [];

/** A seed of one's own must have gone into the deal; with it nobody could choose the cards. */
function ofSeeds({ shoe, format }: Proof, kept: Kept | null): Check[] {
  const own = Object.entries(kept?.seeds ?? {}).map(([seat, text]) =>
    check(
      "Your seed",
      shoe.seat_seeds[seat]?.split("\n").includes(text)
        ? null
        : `The proof leaves out the seed of seat ${seat}.`,
      format === 1
        ? `The seed that seat ${seat} added is in the deal.`
        : `The house could not choose these cards: the deck was fixed before it knew the seed of seat ${seat}, which decided what was dealt where.`,
    ),
  );
  return own.length || format === 1 ? own : [ofOthersSeeds(Object.keys(shoe.seat_seeds))];
}

function ofOthersSeeds(seats: string[]): Check {
  const said = seats.length
    ? `Seeds of ${seats.length === 1 ? "seat" : "seats"} ${seats.join(", ")} decided what was dealt where; this browser kept none of its own.`
    : "No seat added a seed: the deck was fixed before the bets, but the house may have known its order.";
  return { name: "Seeds", fine: null, said };
}

function ofCommitment(
  proof: Proof,
  verdict: Verdict,
  shown: Shown,
  kept: Kept | null,
  when: When,
): Check {
  const name = "Commitment";
  const hash = proof.shoe.commitment;
  const what = proof.format === 1 ? "The seed does" : "The cards do";
  const has = proof.format === 1 ? "The seed has" : "Every card that is opened was fixed under";
  const wrong = () => {
    if (shown.shoe.commitment !== hash)
      return `The proof has ${hash ?? "no hash"}; the record of the round has ${shown.shoe.commitment ?? "none"}.`;
    if (verdict.committed === false)
      return `${what} not have the hash that was shown before the bets.`;
    return null;
  };
  const said = (kept && notKept(proof, verdict, kept)) ?? wrong();
  if (said !== null) return check(name, said, "");
  if (hash === null)
    return { name, fine: null, said: "No hash was shown before the bets for this kind of shoe." };
  if (kept?.before)
    return check(
      name,
      null,
      `${has} the hash that this browser saw and kept before your bets, ${when(kept.at)}.`,
    );
  const later = kept
    ? "This browser did not see the commitment before the bets, but when they lay there."
    : "This browser did not see the commitment before the bets.";
  return {
    name,
    fine: null,
    said: `${later} ${has} the hash that the house says it showed; nothing that you kept confirms it.`,
  };
}

/** Whether the proof has other hashes than those that this browser kept. */
function notKept({ shoe }: Proof, { history }: Verdict, kept: Kept): string | null {
  const bets = kept.before ? "before your bets" : "with your bets on the table";
  if (kept.shoe !== shoe.id)
    return `This browser saw shoe ${kept.shoe} ${bets}; the proof is of shoe ${shoe.id}.`;
  if (kept.commitment !== shoe.commitment)
    return `This browser kept ${kept.commitment ?? "no hash"} ${bets}; the proof has ${shoe.commitment ?? "none"}.`;
  if (kept.history !== undefined && history === null)
    return `This browser saw a shoe ${bets} that opens card by card; the proof is of another kind.`;
  if (kept.history !== undefined && kept.history !== history)
    return `This browser saw another past of the shoe ${bets} than the proof has.`;
  return null;
}
