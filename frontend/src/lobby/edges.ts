/** Exact figures of a sheet for the lobby; the house works them out, the page only asks once. */

import type { SheetFigures } from "../api/types";
import { get } from "../api/ask";

/** A wager's edge, with what is assumed of a shoe that has a cut card; else that is empty. */
export type Edge = Pick<SheetFigures["wagers"][string], "expected" | "house_edge" | "ours"> & {
  wager: string;
  shoe: string;
};

const asked: Record<string, Promise<Edge[]>> = {};

export function edges(sheet: string, hash: string): Promise<Edge[]> {
  return (asked[hash] ??= fetched(sheet));
}

async function fetched(sheet: string): Promise<Edge[]> {
  const told = await get<SheetFigures>(`/api/math/${sheet}`);
  const shoe = told.assumptions.shoe ?? "";
  return Object.entries(told.wagers).map(([wager, one]) => ({ wager, shoe, ...one }));
}

/** 0.04914858 as "4.915%". */
export const percent = (share: number): string => `${(100 * share).toFixed(3)}%`;
