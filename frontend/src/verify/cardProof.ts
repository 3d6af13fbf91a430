/** Verifies a card-by-card proof: each card was committed before the bets and dealt where the seeds say. */

import { say } from "../words/say.svelte";
import { deck } from "./deal";
import { history, positions } from "./dealOrder";
import { type CheckMessage, checkMessage } from "./checkMessages";
import { commitmentTo, leafHash, root, rootOf } from "./merkleTree";
import { groupByPlace, type Place, placesDealt, placesOf, turnedCards } from "./places";
import type { CardProof, CardLaid, DealVerdict } from "./verify";

interface DealtCard extends CardLaid {
  /** For example card 2 of seat 1. */
  at: { number: number; place: Place };
  due: number;
}

export function verifyCards(proof: CardProof): DealVerdict {
  const { shoe, cards } = proof;
  const places = placesDealt(proof.round.actions);
  if (cards.length !== places.length)
    throw new Error(say("verify.no-proof.count", { cards: cards.length, places: places.length }));
  const cardsBefore = shoe.past.reduce((sum, shoe) => sum + shoe.cards, 0);
  if (cardsBefore !== proof.drawn)
    throw new Error(say("verify.no-proof.past", { drawn: proof.drawn, past: cardsBefore }));
  const size = 52 * shoe.decks;
  const expected = positions(shoe.commitment, shoe.past, shoe.seat_seeds, size, cards.length);
  const piles = groupByPlace(
    places,
    cards.map((card, n): DealtCard => ({
      ...card,
      at: { number: 0, place: places[n] ?? "board" },
      due: expected[n] ?? -1,
    })),
  );
  for (const pile of piles.values()) pile.forEach((dealt, n) => (dealt.at.number = n + 1));
  const openedCard = (dealt: CardLaid | undefined) =>
    (dealt && proof.deck?.[dealt.position]?.[0]) ?? dealt?.card;
  const { seen: turned, differences } = turnedCards(proof.round.actions, (place, n) =>
    openedCard(piles.get(place)?.[n]),
  );
  const spots = [...piles.values()].flat();
  const unfixed = uncommittedCards(proof, spots, size);
  const faults = [
    ...unfixed,
    ...emptyDeals(proof),
    ...movedCards(spots),
    ...unexpectedlyOpen(piles, turned),
    ...notFull(proof),
  ];
  return {
    kind: shoe.kind,
    committed: unfixed.length === 0,
    commitment: shoe.commitment,
    places: placesOf(piles, turned),
    differences,
    faults,
    history: history(shoe.commitment, shoe.past),
    whole: proof.deck !== undefined,
    agrees: differences.length === 0 && faults.length === 0,
  };
}

/** Cards that do not lead to the hash from before the bets. */
function uncommittedCards(
  { shoe, deck }: CardProof,
  spots: DealtCard[],
  size: number,
): CheckMessage[] {
  if (deck) {
    const leaves = deck.map(([card, salt], position) => leafHash(position, salt, card));
    const isSame =
      deck.length === size && commitmentTo(rootOf(leaves), size, shoe.id) === shoe.commitment;
    return isSame ? [] : [checkMessage("verify.fault.deck-hash")];
  }
  return spots
    .filter((card) => card.card !== undefined && !isFixed(card))
    .map(({ at, card = "", position }) =>
      checkMessage("verify.fault.unfixed", { ...at, card, position }),
    );

  function isFixed({ position, card = "", salt = "", path = [] }: DealtCard): boolean {
    const top = root(leafHash(position, salt, card), path, position, size);
    return top !== null && commitmentTo(top, size, shoe.id) === shoe.commitment;
  }
}

/** Past deals without a card: a casino could try such histories until it likes the order. */
const emptyDeals = ({ shoe }: CardProof): CheckMessage[] =>
  shoe.past.every(({ cards }) => Number.isInteger(cards) && cards >= 1)
    ? []
    : [checkMessage("verify.fault.empty")];

/** Cards at positions that the seats' seeds did not select. */
const movedCards = (spots: DealtCard[]): CheckMessage[] =>
  spots
    .filter((card) => card.position !== card.due)
    .map(({ at, position, due: expected }) =>
      checkMessage("verify.fault.moved", { ...at, position, due: expected }),
    );

/** Cards shown to someone who may not see them, or reported without being opened. */
function unexpectedlyOpen(
  piles: Map<unknown, DealtCard[]>,
  turned: Map<unknown, (string | null)[]>,
): CheckMessage[] {
  return [...piles].flatMap(([place, pile]) =>
    pile
      .filter((card, n) => card.card !== undefined && (turned.get(place)?.[n] ?? null) === null)
      .map((card) => checkMessage("verify.fault.opened", card.at)),
  );
}

/** Only for auditors: checks that the deck is complete. */
function notFull({ deck: fullDeck, shoe, cards }: CardProof): CheckMessage[] {
  const openCards = cards.map((card) => card.card).filter((card) => card !== undefined);
  const repeated = openCards.filter(
    (card) => openCards.filter((other) => other === card).length > shoe.decks,
  );
  if (repeated[0]) return [checkMessage("verify.fault.too-often", { card: repeated[0] })];
  if (!fullDeck) return [];
  const sortCards = (cards: string[]) => cards.sort().join(" ");
  const full = sortCards(fullDeck.map(([card]) => card)) === sortCards(deck(shoe.decks));
  return full ? [] : [checkMessage("verify.fault.not-full")];
}
