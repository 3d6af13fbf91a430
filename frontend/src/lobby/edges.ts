/** House edges of sheets, loaded one at a time and cached. */

import type { SheetFigures } from "../api/types";
import { mayRetryLater, get } from "../api/ask";
import { percentage, currentLanguage } from "../words/say.svelte";

/** A wager's edge, with the assumptions about a cut card in `shoe` (empty if none). */
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
 * Load a sheet's edges and pass them to the listener. Sheets load one at a time, because a browser has
 * few connections and taking a seat must not wait. Calls `later` and retries while the server is
 * computing. Returns a function that cancels the request, for an effect.
 */
export function edges(
  sheet: string,
  hash: string,
  listener: HearEdges,
  no: () => void,
  later: () => void = () => undefined,
): () => void {
  const wish = { key: `${currentLanguage()}/${hash}`, sheet, told: listener, no, later };
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
    const notYet = mayRetryLater(outcome);
    if (notYet) answers.delete(wish.key);
    if (!waiting.delete(wish)) continue; // Canceled.
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
