/** Names of cards: "Kc" is the king of clubs. */

import { cardName, JOINED, joinWords, MINUS, symbol } from "./formats";
import { formatRules, say } from "./say.svelte";

export type Suit = "c" | "d" | "h" | "s";

export const rankOf = (card: string): string => card.charAt(0);
export const suitOf = (card: string): Suit => card.charAt(1) as Suit;
export const rankLabel = (card: string): string => (rankOf(card) === "T" ? "10" : rankOf(card));

/** "king of clubs" */
export const spokenCard = (card: string): string => cardName(card, formatRules());

/** "K♣" */
export const cardSymbol = symbol;

/** "king of clubs and ten of hearts". Face-down cards are counted. */
export function spokenCards(cards: readonly (string | null)[]): string {
  const faceUp = cards.filter((card) => card !== null).map(spokenCard);
  const faceDown = cards.length - faceUp.length;
  if (faceDown > 0) faceUp.push(say("words.face-down", { count: faceDown }));
  return joinAnd(faceUp);
}

/** Replace "Kc" and "-$5" in the server's sentences by "K♣" and "−$5", without line breaks inside. */
export const withSymbols = (sentence: string): string =>
  sentence
    .replace(CARD, (card) => cardSymbol(card))
    .replace(LOSS, MINUS)
    .replace(CLAUSE, `$&${JOINED}`);

/** Replace cards by their names, for screen readers. */
export const spokenText = (sentence: string): string =>
  sentence.replace(CARD, (card) => spokenCard(card));

// At the start of a sentence "As", "Ad" and "Ah" before another word are words.
const CARD = /\b(?:[2-9TJQK][cdhs]|Ac|A[dhs](?! [a-z])|(?<=[^.!?:\s] )A[dhs])\b/g;

const LOSS = /(?<=^|[\s(])-(?=[A-Z]{0,2}[$€£]|[A-Z]{3} \d|\d)/g;

const CLAUSE = /\b[A-Z]{2,}-(?=\d)/g;

/** "a, b and c" */
export const joinAnd = (words: readonly string[]): string =>
  joinWords(words, formatRules().lists.and);
