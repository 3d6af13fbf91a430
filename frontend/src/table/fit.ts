/** Fits the felt to its stage. Everything scales with C, the width of the player's cards; the largest C wins. */

import { buildSurface } from "./surface";

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
export function preferredCardWidth(as: Arrangement, width: number, height: number): number {
  if (as === "tall") return Math.min(72, width / 5);
  return as === "wide" ? Math.max(72, height / 7) : 60;
}

/** Maximum card width: board and hand need two rows, and on a phone the hand must leave room. */
const most = (as: Arrangement, width: number, height: number): number =>
  Math.min(C_MAX, height / 2.8, width / (as === "tall" ? 3.6 : 3));

type Fits = (c: number, level: number) => boolean;

/** The widest cards, dropping only the parts needed to reach the preferred width. */
export function solveFit(tried: Fits, least: number, limit = C_MAX, guess?: number): Fit {
  const fits = memoize(tried);
  const goes = (n: number) =>
    Math.floor(Math.max(C_MIN, Math.min(limit, least, NEEDED[LEAVES[n] ?? ""] ?? C_MAX)));
  let level = 0;
  while (level < LEAVES.length && !fits(goes(level), level)) level++;
  const top = Math.max(C_MIN, limit);
  if (guess !== undefined && guess >= C_MIN && guess <= top) near(guess, level);
  const c = widest((width) => fits(width, level), C_MIN, top);
  const enough = Math.max(C_MIN, Math.floor(c * GOOD_ENOUGH));
  const same =
    [...LEVELS.keys()].find((candidate) => candidate === level || fits(enough, candidate)) ?? level;
  return { c: same === level ? c : enough, level: same };

  /** Try the expected width first: usually two measurements then suffice instead of eight. */
  function near(c: number, at: number): void {
    if (fits(c, at)) fits(c + 1, at);
  }
}

/** Each measurement lays out the whole felt, so skip those whose result follows from earlier ones. */
function memoize(tried: Fits): Fits {
  const good: number[] = [];
  const bad: number[] = [];
  return (c, level) => {
    if (c <= (good[level] ?? 0)) return true;
    if (c >= (bad[level] ?? Infinity)) return false;
    const does = tried(c, level);
    (does ? good : bad)[level] = c;
    return does;
  };
}

/** Binary search for the largest width that fits. */
function widest(fits: (c: number) => boolean, least: number, limit: number): number {
  let [good, bad] = [least, Math.floor(limit) + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
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
  function stand(as: Arrangement, width: number, height: number): void {
    const { rail, rack } = buildSurface(as, width, height);
    felt.style.setProperty("--rail-width", `${rail}px`);
    felt.style.setProperty("--rack-height", `${rack}px`);
  }

  function fit(): void {
    const [width, height] = [felt.clientWidth, felt.clientHeight];
    if (!width || !height) return;
    const as = arrangementFor(width, height);
    felt.dataset.as = as;
    stand(as, width, height);
    const place = `${width}x${height}/${current.slice(current.indexOf("/"))}`;
    const before = cache.get(place);
    if (before && fits(before.c, before.level)) return;
    const limit = most(as, width, height);
    const guess = Math.round(share * limit);
    const { c, level } = solveFit(fits, preferredCardWidth(as, width, height), limit, guess);
    share = c / limit;
    fits(c, level);
    if (!before) cache.set(place, { c, level }); // Keep only the first fit: later ones in a round may be smaller.
  }

  const stage = new ResizeObserver(fit);
  stage.observe(felt);
  // Within a round cards only shrink, and only if they must. The check waits for the next frame, which
  // lays out the felt anyway.
  let due = 0;
  const words = new MutationObserver(() => {
    if (due) return;
    due = requestAnimationFrame(() => {
      due = 0;
      if (overflows(felt)) fit();
    });
  });
  words.observe(felt, { childList: true, characterData: true, subtree: true });
  return {
    update(now: string) {
      if (now === current) return;
      current = now;
      fit();
    },
    destroy() {
      cancelAnimationFrame(due);
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
