/** Card entry by keys, rank first: "ks", "10h", "td". */

export const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"] as const;
export const SUITS = ["s", "h", "d", "c"] as const;
const TEN = "1"; // A ten whose 0 has not been typed yet.

/** The card typed so far. `card` is set once it is complete. */
export interface TypedCard {
  rank: string;
  card: string | null;
}

/** Apply a key to the rank typed so far. Null if the key has no meaning. */
export function applyKey(rank: string, key: string): TypedCard | null {
  if (key === "Backspace" || key === "Escape") return rank ? { rank: "", card: null } : null;
  if (key === TEN) return { rank: TEN, card: null };
  if (key === "0") return rank === TEN ? { rank: "T", card: null } : null;
  const suit = key.toLowerCase();
  if (isSuit(suit)) return isRank(rank) ? { rank: "", card: `${rank}${suit}` } : null;
  const next = key.toUpperCase();
  return isRank(next) ? { rank: next, card: null } : null;
}

const isRank = (text: string): boolean => (RANKS as readonly string[]).includes(text);
const isSuit = (text: string): boolean => (SUITS as readonly string[]).includes(text);

/** The label of a rank button. */
export const rankTitle = (rank: string): string =>
  rank === "T" ? "10" : rank === TEN ? `${TEN}…` : rank;
