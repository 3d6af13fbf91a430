/** Re-deals a shoe from its revealed seed, as docs/verify-a-deal.md describes for arranged and seeded shoes. */

import type { SeedProof } from "../api/types";
import { say } from "../words/say.svelte";
import { chacha20 } from "@noble/ciphers/chacha.js";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export type SeededShoe = SeedProof["shoe"] & { seed: string };

const PURPOSE = "pitbook deal 1";
const SPAN = 65_536;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const CHUNK = 4_096; // A multiple of ChaCha20's block size of 64 bytes.

/** The hash that had to be published before the bets. */
export function commitment({ seed, chosen = [] }: SeededShoe): string {
  const words = utf8ToBytes(chosen.map((card) => card ?? "--").join(" "));
  const secret = new Uint8Array([...hexToBytes(seed), ...words]);
  return bytesToHex(sha256(secret));
}

/** The first cards of the shoe, in deal order. */
export function dealFromShoe(shoe: SeededShoe, count: number): string[] {
  const chosen = shoe.chosen ?? [];
  const remaining = without(deck(shoe.decks), chosen);
  const randoms = numbers(dealKey(shoe));
  return Array.from(
    { length: count },
    (_, n) => chosen[n] ?? takeAt(remaining, randomBelow(randoms, remaining.length)),
  );
}

/** The key of the deal: the server's seed, the shoe's id, and the seats' seeds. */
export function dealKey({ seed, id, seat_seeds }: SeededShoe): Uint8Array {
  const info = utf8ToBytes(PURPOSE + seedsText(seat_seeds));
  return hkdf(sha256, hexToBytes(seed), utf8ToBytes(id), info, 32);
}

/** The seats' seeds in seat order, as they enter a key. */
export const seedsText = (seeds: Record<string, string>): string =>
  ascii(
    Object.entries(seeds)
      .map(([seat, text]): [number, string] => [Number(seat), text])
      .sort(([a], [b]) => a - b),
  );

/** JSON in ASCII without spaces, as Python writes it. */
export function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Uniform numbers below 65,536 from two bytes of the key stream each. */
export function* numbers(key: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block += CHUNK / 64) {
    const stream = chacha20(key, new Uint8Array(12), new Uint8Array(CHUNK), undefined, block);
    for (let n = 0; n < CHUNK; n += 2) yield 256 * (stream[n] ?? 0) + (stream[n + 1] ?? 0);
  }
}

/** A uniform number below a bound. Values that would cause bias are skipped. */
export function randomBelow(randoms: Generator<number, never>, bound: number): number {
  const fair = SPAN - (SPAN % bound);
  for (;;) {
    const { value } = randoms.next();
    if (value < fair) return value % bound;
  }
}

export function deck(decks: number): string[] {
  const deck = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
  return Array.from({ length: decks }, () => deck).flat();
}

function without(cards: string[], chosen: readonly (string | null)[]): string[] {
  for (const card of chosen) {
    if (card === null) continue;
    const place = cards.indexOf(card);
    if (place < 0) throw new Error(say("verify.no-proof.chosen", { card }));
    cards.splice(place, 1);
  }
  return cards;
}

/** Remove and return an element. The last one takes its place. */
export function takeAt<T extends string | number>(remaining: T[], place: number): T {
  const card = remaining[place];
  const last = remaining.pop();
  if (card === undefined || last === undefined) throw new Error(say("verify.no-proof.empty"));
  if (place < remaining.length) remaining[place] = last;
  return card;
}
