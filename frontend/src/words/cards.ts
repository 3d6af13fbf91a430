/** Cards by name: "Kc" is the king of clubs. */

const RANKS: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  "9": "nine",
  "8": "eight",
  "7": "seven",
  "6": "six",
  "5": "five",
  "4": "four",
  "3": "three",
  "2": "two",
};
const SUITS: Record<string, string> = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const SYMBOLS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };

export type Suit = "c" | "d" | "h" | "s";

export const rankOf = (card: string): string => card.charAt(0);
export const suitOf = (card: string): Suit => card.charAt(1) as Suit;
export const rankShown = (card: string): string => (rankOf(card) === "T" ? "10" : rankOf(card));

/** "king of clubs" */
export const cardSaid = (card: string): string =>
  `${RANKS[rankOf(card)] ?? rankOf(card)} of ${SUITS[suitOf(card)] ?? suitOf(card)}`;

/** "K♣" */
export const cardShort = (card: string): string =>
  `${rankShown(card)}${SYMBOLS[suitOf(card)] ?? ""}`;

/** "king of clubs and ten of hearts"; cards that are face down are counted. */
export function cardsSaid(cards: readonly (string | null)[]): string {
  const up = cards.filter((card) => card !== null).map(cardSaid);
  const down = cards.length - up.length;
  if (down > 0) up.push(down === 1 ? "one card face down" : `${down} cards face down`);
  return listed(up);
}

/** The house writes cards as "Kc"; eyes get "K♣". */
export const shown = (sentence: string): string =>
  sentence.replace(CARD, (card) => cardShort(card));

/** ... and ears "king of clubs". */
export const aloud = (sentence: string): string => sentence.replace(CARD, (card) => cardSaid(card));

// "As", "Ad" and "Ah" before another word are words too.
const CARD = /\b(?:[2-9TJQK][cdhs]|Ac|A[dhs](?! [a-z]))\b/g;

/** "a, b and c" */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
