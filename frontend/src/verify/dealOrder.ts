/** Selects the deck position of the next card from the seats' seeds, by the published rule. */

import type { DealPast } from "../api/types";
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

import { randomBelow, numbers, seedsText, takeAt } from "./deal";
import { uint16 } from "./merkleTree";

type Past = DealPast;

const PURPOSE = utf8ToBytes("pitbook order 2");
const HISTORY_PREFIX = Uint8Array.of(3);

/** A hash over the commitment and all past deals; the commitment itself before the first deal. */
export const history = (commitment: string, past: readonly Past[]): string =>
  bytesToHex(past.reduce<Uint8Array>(nextHistory, hexToBytes(commitment)));

/** The positions of a deal, in deal order. */
export function positions(
  commitment: string,
  past: readonly Past[],
  seeds: Record<string, string>,
  size: number,
  count: number,
): number[] {
  let remaining = Array.from({ length: size }, (_, n) => n);
  let history: Uint8Array = hexToBytes(commitment);
  for (const entry of past) {
    const taken = new Set(choosePosition(remaining, history, entry.seat_seeds, entry.cards));
    remaining = remaining.filter((position) => !taken.has(position));
    history = nextHistory(history, entry);
  }
  return choosePosition(remaining, history, seeds, count);
}

const nextHistory = (history: Uint8Array, entry: Past): Uint8Array =>
  sha256(
    concatBytes(
      HISTORY_PREFIX,
      history,
      uint16(entry.cards),
      utf8ToBytes(seedsText(entry.seat_seeds)),
    ),
  );

function choosePosition(
  unchosen: readonly number[],
  history: Uint8Array,
  seeds: Record<string, string>,
  count: number,
): number[] {
  const key = hkdf(sha256, utf8ToBytes(seedsText(seeds)), history, PURPOSE, 32);
  const [randoms, remaining] = [numbers(key), [...unchosen]];
  return Array.from({ length: count }, () =>
    takeAt(remaining, randomBelow(randoms, remaining.length)),
  );
}
