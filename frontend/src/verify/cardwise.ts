/** A round opened card by card: was each one fixed before the bets, and dealt where the seeds say? */

import { deck } from "./deal";
import { history, positions } from "./order";
import { commitmentTo, leaf, root, rootOf } from "./tree";
import { named, piled, placesDealt, placesOf, turnedOf } from "./turned";
import type { CardProof, Laid, Verdict } from "./verify";

interface Spot extends Laid {
  /** "card 2 of seat 1" */
  told: string;
  due: number;
}

export function verifyCards(proof: CardProof): Verdict {
  const { shoe, cards } = proof;
  const places = placesDealt(proof.round.actions);
  if (cards.length !== places.length)
    throw new Error(`the proof has ${cards.length} cards of a deal that lays ${places.length}`);
  const before = shoe.past.reduce((sum, one) => sum + one.cards, 0);
  if (before !== proof.drawn)
    throw new Error(
      `${proof.drawn} cards are said to be dealt before; the shoe's past has ${before}`,
    );
  const size = 52 * shoe.decks;
  const due = positions(shoe.commitment, shoe.past, shoe.seat_seeds, size, cards.length);
  const piles = piled(
    places,
    cards.map((one, n): Spot => ({ ...one, told: "", due: due[n] ?? -1 })),
  );
  for (const [place, pile] of piles)
    pile.forEach((one, n) => (one.told = `Card ${n + 1} of ${named(place)}`));
  const opened = (one: Laid | undefined) => (one && proof.deck?.[one.position]?.[0]) ?? one?.card;
  const { seen, differences } = turnedOf(proof.round.actions, (place, n) =>
    opened(piles.get(place)?.[n]),
  );
  const spots = [...piles.values()].flat();
  const unfixed = unfixedIn(proof, spots, size);
  const faults = [
    ...unfixed,
    ...empty(proof),
    ...moved(spots),
    ...untold(piles, seen),
    ...notFull(proof),
  ];
  return {
    kind: shoe.kind,
    committed: unfixed.length === 0,
    commitment: shoe.commitment,
    places: placesOf(piles, seen),
    differences,
    faults,
    history: history(shoe.commitment, shoe.past),
    whole: proof.deck !== undefined,
    agrees: differences.length === 0 && faults.length === 0,
  };
}

/** Cards that do not lead to the hash from before the bets. */
function unfixedIn({ shoe, deck }: CardProof, spots: Spot[], size: number): string[] {
  if (deck) {
    const leaves = deck.map(([card, salt], position) => leaf(position, salt, card));
    const same =
      deck.length === size && commitmentTo(rootOf(leaves), size, shoe.id) === shoe.commitment;
    return same ? [] : ["The deck does not have the hash that was shown before the bets."];
  }
  return spots
    .filter((one) => one.card !== undefined && !isFixed(one))
    .map(
      (one) =>
        `${one.told}: ${one.card} was not fixed at position ${one.position} before the bets.`,
    );

  function isFixed({ position, card = "", salt = "", path = [] }: Spot): boolean {
    const top = root(leaf(position, salt, card), path, position, size);
    return top !== null && commitmentTo(top, size, shoe.id) === shoe.commitment;
  }
}

/** Deals that took no card from anybody: a house could try such pasts out until it likes the order. */
const empty = ({ shoe }: CardProof): string[] =>
  shoe.past.every(({ cards }) => Number.isInteger(cards) && cards >= 1)
    ? []
    : ["A deal of the shoe's past took no cards."];

/** Cards from positions that the seats' seeds did not choose. */
const moved = (spots: Spot[]): string[] =>
  spots
    .filter((one) => one.position !== one.due)
    .map((one) => `${one.told}: position ${one.position} was dealt; the seeds choose ${one.due}.`);

/** Cards that are opened to somebody who may not see them, or told without being opened. */
function untold(piles: Map<unknown, Spot[]>, seen: Map<unknown, (string | null)[]>): string[] {
  return [...piles].flatMap(([place, pile]) =>
    pile
      .filter((one, n) => one.card !== undefined && (seen.get(place)?.[n] ?? null) === null)
      .map((one) => `${one.told} is opened, and the round keeps it closed.`),
  );
}

/** What only an auditor can see: whether the deck is full. */
function notFull({ deck: held, shoe, cards }: CardProof): string[] {
  const open = cards.map((one) => one.card).filter((card) => card !== undefined);
  const often = open.filter((card) => open.filter((one) => one === card).length > shoe.decks);
  if (often.length) return [`${often[0]} is dealt more often than the decks hold it.`];
  if (!held) return [];
  const sorted = (cards: string[]) => cards.sort().join(" ");
  const full = sorted(held.map(([card]) => card)) === sorted(deck(shoe.decks));
  return full ? [] : ["This is no full deck: a card is in it too often, or missing."];
}
