/** Merkle tree over salted cards, as in docs/verify-a-deal.md. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const [LEAF, NODE, ROOT] = [0, 1, 2].map((first) => Uint8Array.of(first)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

export const uint16 = (number: number): Uint8Array => Uint8Array.of(number >> 8, number & 255);

/** The hash of a card at its position. The salt prevents guessing the card. */
export const leafHash = (position: number, salt: string, card: string): Uint8Array =>
  sha256(concatBytes(LEAF, uint16(position), hexToBytes(salt), utf8ToBytes(card)));

/** The root for a leaf and its path, or null if the path's length does not match the tree's size. */
export function root(
  start: Uint8Array,
  path: readonly string[],
  position: number,
  size: number,
): Uint8Array | null {
  let [hash, place, step] = [start, position, 0];
  for (let count = size; count > 1; count = (count + 1) >> 1, place >>= 1) {
    if ((place ^ 1) >= count) continue;
    const siblingHex = path[step++];
    if (siblingHex === undefined) return null;
    const sibling = hexToBytes(siblingHex);
    hash = place & 1 ? node(sibling, hash) : node(hash, sibling);
  }
  return step === path.length ? hash : null;
}

/** The root over all leaves. The last of an odd number moves up unchanged. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  let level = [...leaves];
  while (level.length > 1)
    level = Array.from({ length: (level.length + 1) >> 1 }, (_, n) => {
      const [left, right] = [level[2 * n] as Uint8Array, level[2 * n + 1]];
      return right ? node(left, right) : left;
    });
  return level[0] as Uint8Array;
}

/** The commitment published before the bets: one hash for the shoe's whole deck. */
export const commitmentTo = (root: Uint8Array, size: number, shoe: string): string =>
  bytesToHex(sha256(concatBytes(ROOT, uint16(size), root, utf8ToBytes(shoe))));

const node = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(NODE, left, right));
