/** Exact figures of a sheet for the lobby; the house works them out, the page only asks once. */

import { get } from "../api/ask";

export interface Edge {
  wager: string;
  expected: string;
  house_edge: number;
  /** Said where the edge rests on a pay table of ours. */
  ours: string;
}

const asked: Record<string, Promise<Edge[]>> = {};

export function edges(sheet: string, hash: string): Promise<Edge[]> {
  return (asked[hash] ??= fetched(sheet));
}

async function fetched(sheet: string): Promise<Edge[]> {
  const told = await get<{ wagers: Record<string, Omit<Edge, "wager">> }>(`/api/math/${sheet}`);
  return Object.entries(told.wagers).map(([wager, one]) => ({ wager, ...one }));
}

/** 0.04914858 as "4.915%". */
export const percent = (share: number): string => `${(100 * share).toFixed(3)}%`;
