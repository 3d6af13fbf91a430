/** House edges of sheets, loaded one at a time and cached. */

import type { SheetFigures } from "../api/types";
import { mayRetryLater, get, sentence } from "../api/requests";
import { percentage, currentLanguage } from "../words/say.svelte";

/** A wager's edge, with the assumptions about a cut card in `shoe` (empty if none). */
export type Edge = Pick<SheetFigures["wagers"][string], "expected" | "house_edge" | "ours"> & {
  wager: string;
  shoe: string;
};

type EdgesListener = (edges: Edge[]) => void;
interface EdgeRequest {
  key: string;
  sheet: string;
  onEdges: EdgesListener;
  onError: () => void;
  onLater: (reason: string) => void;
}

const RETRY_MS = 3000;

const answers = new Map<string, Promise<Edge[]>>();
const queue = new Set<EdgeRequest>();
let busy = false;

/**
 * Load a sheet's edges and pass them to the listener. Sheets load one at a time, because a browser has
 * few connections and taking a seat must not wait. Calls `later` and retries while the server is
 * computing, with its reason. Returns a function that cancels the request, for an effect.
 */
export function edges(
  sheet: string,
  hash: string,
  onEdges: EdgesListener,
  onError: () => void,
  onLater: (reason: string) => void = () => undefined,
): () => void {
  const request = {
    key: `${currentLanguage()}/${hash}`,
    sheet,
    onEdges: onEdges,
    onError,
    onLater,
  };
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  const startLoading = () => {
    queue.add(request);
    if (!busy) void loadQueued();
  };
  request.onLater = (reason) => {
    onLater(reason);
    retryTimer = setTimeout(startLoading, RETRY_MS);
  };
  startLoading();
  return () => {
    clearTimeout(retryTimer);
    queue.delete(request);
  };
}

async function loadQueued(): Promise<void> {
  busy = true;
  for (const request of queue) {
    const answer = answers.get(request.key) ?? fetchEdges(request.sheet);
    answers.set(request.key, answer);
    const outcome = await answer.catch((error: unknown) => error);
    const notYet = mayRetryLater(outcome);
    if (notYet) answers.delete(request.key);
    if (!queue.delete(request)) continue; // Canceled.
    if (notYet) request.onLater(sentence(outcome));
    else if (Array.isArray(outcome)) request.onEdges(outcome as Edge[]);
    else request.onError();
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
