/** Fits the felt to its stage. Everything scales with C, the width of the player's cards; the largest C wins. */

import { tableGeometry } from "./surface";

export type Arrangement = "tall" | "short" | "wide";

/** Parts dropped when space is short, in this order. */
const LEAVES = ["pays", "title", "seats", "others", "circles"];
export const LEVELS = ["", ...LEAVES].map((_, n) => LEAVES.slice(0, n).join(" "));

/** Neighbors and circles are not ornaments. They stay until cards would be this narrow. */
const NEEDED: Record<string, number> = { seats: 64, others: 56, circles: 44 };

export interface Fit {
  c: number;
  level: number;
}

const C_MIN = 20;
const C_MAX = 560;
const GOOD_ENOUGH = 0.96;
const SLACK = 2; // Offsets and widths are rounded to whole pixels; the box they are compared with is not.
const SHORT = 400;
const TALL = 1.05;

export const arrangementFor = (width: number, height: number): Arrangement =>
  width / height < TALL ? "tall" : height < SHORT ? "short" : "wide";

/** The card width to reach before dropping any part. */
export function preferredCardWidth(
  arrangement: Arrangement,
  width: number,
  height: number,
): number {
  if (arrangement === "tall") return Math.min(72, width / 5);
  return arrangement === "wide" ? Math.max(72, height / 7) : 60;
}

/** Maximum card width: board and hand need two rows, and on a phone the hand must leave room. */
const maxCardWidth = (arrangement: Arrangement, width: number, height: number): number =>
  Math.min(C_MAX, height / 2.8, width / (arrangement === "tall" ? 3.6 : 3));

type Fits = (c: number, level: number) => boolean;

/** The widest cards, dropping only the parts needed to reach the preferred width. */
export function solveFit(measure: Fits, least: number, limit = C_MAX, guess?: number): Fit {
  const fits = memoize(measure);
  const widthNeeded = (n: number) =>
    Math.floor(Math.max(C_MIN, Math.min(limit, least, NEEDED[LEAVES[n] ?? ""] ?? C_MAX)));
  let level = 0;
  while (level < LEAVES.length && !fits(widthNeeded(level), level)) level++;
  const top = Math.max(C_MIN, limit);
  if (guess !== undefined && guess >= C_MIN && guess <= top) tryNear(guess, level);
  const c = widest((width) => fits(width, level), C_MIN, top);
  const goodEnough = Math.max(C_MIN, Math.floor(c * GOOD_ENOUGH));
  const bestLevel =
    [...LEVELS.keys()].find((candidate) => candidate === level || fits(goodEnough, candidate)) ??
    level;
  return { c: bestLevel === level ? c : goodEnough, level: bestLevel };

  /** Try the expected width first: usually two measurements then suffice instead of eight. */
  function tryNear(c: number, at: number): void {
    if (fits(c, at)) fits(c + 1, at);
  }
}

/** Each measurement lays out the whole felt, so skip those whose result follows from earlier ones. */
function memoize(measure: Fits): Fits {
  const good: number[] = [];
  const bad: number[] = [];
  return (c, level) => {
    if (c <= (good[level] ?? 0)) return true;
    if (c >= (bad[level] ?? Infinity)) return false;
    const didFit = measure(c, level);
    (didFit ? good : bad)[level] = c;
    return didFit;
  };
}

/** Binary search for the largest width that fits. */
function widest(fits: (c: number) => boolean, least: number, limit: number): number {
  let [good, bad] = [least, Math.floor(limit) + 1];
  while (bad - good > 1) {
    const mid = Math.floor((good + bad) / 2);
    if (fits(mid)) good = mid;
    else bad = mid;
  }
  return good;
}

/**
 * Svelte action that keeps the felt inside its stage. `structure` describes what is on the felt, its
 * round first; a change fits again. Measuring lays out the felt, so a cached fit is tried first.
 */
export function fitFelt(felt: HTMLElement, structure: string) {
  let current = structure;
  const cache = new Map<string, Fit>();
  let share = 1; // Of the maximum card width at the current size.

  function fits(cardUnit: number, level: number): boolean {
    felt.style.setProperty("--felt-unit", `${cardUnit}px`);
    felt.dataset.without = LEVELS[level];
    return !overflows(felt);
  }

  /** Set the rail's and rack's sizes first, so that the measurement includes them. */
  function setSizes(arrangement: Arrangement, width: number, height: number): void {
    const { rail, rack } = tableGeometry(arrangement, width, height);
    felt.style.setProperty("--rail-width", `${rail}px`);
    felt.style.setProperty("--rack-height", `${rack}px`);
  }

  function fit(): void {
    const [width, height] = [felt.clientWidth, felt.clientHeight];
    if (!width || !height) return;
    const arrangement = arrangementFor(width, height);
    felt.dataset.as = arrangement;
    setSizes(arrangement, width, height);
    const key = `${width}x${height}/${current.slice(current.indexOf("/"))}`;
    const cachedFit = cache.get(key);
    if (cachedFit && fits(cachedFit.c, cachedFit.level)) return;
    const limit = maxCardWidth(arrangement, width, height);
    const guess = Math.round(share * limit);
    const { c, level } = solveFit(
      fits,
      preferredCardWidth(arrangement, width, height),
      limit,
      guess,
    );
    share = c / limit;
    fits(c, level);
    if (!cachedFit) cache.set(key, { c, level }); // Keep only the first fit: later ones in a round may be smaller.
  }

  const stage = new ResizeObserver(fit);
  stage.observe(felt);
  // Within a round cards only shrink, and only if they must. The check waits for the next frame, which
  // lays out the felt anyway.
  let frameRequest = 0;
  const words = new MutationObserver(() => {
    if (frameRequest) return;
    frameRequest = requestAnimationFrame(() => {
      frameRequest = 0;
      if (overflows(felt)) fit();
    });
  });
  words.observe(felt, { childList: true, characterData: true, subtree: true });
  return {
    update(newStructure: string) {
      if (newStructure === current) return;
      current = newStructure;
      fit();
    },
    destroy() {
      cancelAnimationFrame(frameRequest);
      stage.disconnect();
      words.disconnect();
    },
  };
}

/** Measures offsets, which ignore the animation of moving cards. */
function overflows(felt: HTMLElement): boolean {
  const style = getComputedStyle(felt);
  const [left, top, right, bottom] = (["Left", "Top", "Right", "Bottom"] as const).map((side) =>
    parseFloat(style[`padding${side}`]),
  ) as [number, number, number, number];
  const [wide, high] = [felt.clientWidth, felt.clientHeight];
  return [...felt.children].some((child) => {
    const part = child as HTMLElement;
    if (!part.offsetParent) return false; // Not on the felt now.
    return (
      part.scrollWidth > part.clientWidth + 1 ||
      part.offsetLeft < left - SLACK ||
      part.offsetTop < top - SLACK ||
      part.offsetLeft + Math.max(part.offsetWidth, part.scrollWidth) > wide - right + SLACK ||
      part.offsetTop + Math.max(part.offsetHeight, part.scrollHeight) > high - bottom + SLACK
    );
  });
}
