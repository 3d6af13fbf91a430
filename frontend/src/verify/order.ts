/** Which position of the deck is dealt next: the seats' seeds decide, by a rule that all know. */

import type { DealPast } from "../api/types";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { below, numbers, seedsText, take } from "./deal";
import { two } from "./tree";

type Past = DealPast;

const PURPOSE = utf8ToBytes("pitbook order 2");
const PAST = Uint8Array.of(3);

/** A hash over the deck and all that was dealt from it: the commitment while that is nothing. */
export const history = (commitment: string, past: readonly Past[]): string =>
  bytesToHex(past.reduce<Uint8Array>(after, hexToBytes(commitment)));

/** The positions of a deal, in its order. */
export function positions(
  commitment: string,
  past: readonly Past[],
  seeds: Record<string, string>,
  size: number,
  count: number,
): number[] {
  let left = Array.from({ length: size }, (_, n) => n);
  let told: Uint8Array = hexToBytes(commitment);
  for (const one of past) {
    const taken = new Set(chosen(left, told, one.seat_seeds, one.cards));
    left = left.filter((position) => !taken.has(position));
    told = after(told, one);
  }
  return chosen(left, told, seeds, count);
}

const after = (told: Uint8Array, one: Past): Uint8Array =>
  sha256(concatBytes(PAST, told, two(one.cards), utf8ToBytes(seedsText(one.seat_seeds))));

function chosen(
  left: readonly number[],
  told: Uint8Array,
  seeds: Record<string, string>,
  count: number,
): number[] {
  const key = hkdf(sha256, utf8ToBytes(seedsText(seeds)), told, PURPOSE, 32);
  const [drawn, open] = [numbers(key), [...left]];
  return Array.from({ length: count }, () => take(open, below(drawn, open.length)));
}
