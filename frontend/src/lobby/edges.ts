/** Exact figures of a sheet for the lobby; the house works them out, the page only asks once. */

import { get } from "../api/ask";

export interface Edge {
  wager: string;
  expected: string;
  house_edge: number;
  /** Said where the edge rests on a pay table of ours. */
  ours: string;
  /** What is assumed of a shoe with a cut card; else empty. */
  shoe: string;
}

const asked: Record<string, Promise<Edge[]>> = {};

export function edges(sheet: string, hash: string): Promise<Edge[]> {
  return (asked[hash] ??= fetched(sheet));
}

async function fetched(sheet: string): Promise<Edge[]> {
  const told = await get<{
    assumptions: { shoe?: string };
    wagers: Record<string, Omit<Edge, "wager" | "shoe">>;
  }>(`/api/math/${sheet}`);
  const shoe = told.assumptions.shoe ?? "";
  return Object.entries(told.wagers).map(([wager, one]) => ({ wager, shoe, ...one }));
}

/** 0.04914858 as "4.915%". */
export const percent = (share: number): string => `${(100 * share).toFixed(3)}%`;
