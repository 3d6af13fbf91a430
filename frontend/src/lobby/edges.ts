/** Exact figures of a sheet for the lobby; the house works them out, the page only asks once. */

import type { SheetFigures } from "../api/types";
import { comesLater, get } from "../api/ask";
import { percentage, speaks } from "../words/say.svelte";

/** A wager's edge, with what is assumed of a shoe that has a cut card; else that is empty. */
export type Edge = Pick<SheetFigures["wagers"][string], "expected" | "house_edge" | "ours"> & {
  wager: string;
  shoe: string;
};

type HearEdges = (edges: Edge[]) => void;
interface EdgeWish {
  key: string;
  sheet: string;
  told: HearEdges;
  no: () => void;
  later: () => void;
}

const AGAIN_MS = 3000;

const answers = new Map<string, Promise<Edge[]>>();
const waiting = new Set<EdgeWish>();
let busy = false;

/**
 * A sheet's edges, when the house has them. One sheet is asked for at a time: a browser has few
 * lines to a house, and must not wait for figures to take a seat. What the house is still working
 * out is said to come `later`, and asked for again. For an effect to give back: what nobody looks
 * at any more is not asked for.
 */
export function edges(
  sheet: string,
  hash: string,
  listener: HearEdges,
  no: () => void,
  later: () => void = () => undefined,
): () => void {
  const wish = { key: `${speaks()}/${hash}`, sheet, told: listener, no, later };
  let again: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    waiting.add(wish);
    if (!busy) void inTurn();
  };
  wish.later = () => {
    later();
    again = setTimeout(begin, AGAIN_MS);
  };
  begin();
  return () => {
    clearTimeout(again);
    waiting.delete(wish);
  };
}

async function inTurn(): Promise<void> {
  busy = true;
  for (const wish of waiting) {
    const answer = answers.get(wish.key) ?? fetchEdges(wish.sheet);
    answers.set(wish.key, answer);
    const outcome = await answer.catch((error: unknown) => error);
    const notYet = comesLater(outcome);
    if (notYet) answers.delete(wish.key);
    if (!waiting.delete(wish)) continue; // Whoever asked has left.
    if (notYet) wish.later();
    else if (Array.isArray(outcome)) wish.told(outcome as Edge[]);
    else wish.no();
  }
  busy = false;
}

async function fetchEdges(sheet: string): Promise<Edge[]> {
  const figures = await get(`/api/math/${sheet}`);
  const shoe = figures.assumptions.shoe ?? "";
  return Object.entries(figures.wagers).map(([wager, figure]) => ({ wager, shoe, ...figure }));
}

/** 0.04914858 as "4.915%". */
export const percent = (share: number): string => percentage(share, 3);
