/** Three decorative cards for a game, always the same ones for the same game. */

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

export function threeOf(sheet: string): string[] {
  const seed = [...sheet].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 9973, 7);
  return [0, 1, 2].map((n) => {
    const index = seed + n * 5;
    return `${RANKS.charAt((index + n * n) % RANKS.length)}${SUITS.charAt((seed + n) % SUITS.length)}`;
  });
}
