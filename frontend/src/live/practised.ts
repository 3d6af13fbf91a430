/** Which rules were practised at a table, so that a new one can take the place of one that is gone. */

import { post } from "../api/ask";
import { session } from "../people/session.svelte";

const KEY = "pitbook.practised";
const MOST = 20;

type Store = Pick<Storage, "getItem" | "setItem">;

/** Keep the sheet of a practice table; the oldest are forgotten. */
export function rememberPractice(table: string, sheet: string, store: Store = localStorage): void {
  const names = load(store).filter(([name]) => name !== table);
  try {
    store.setItem(KEY, JSON.stringify([...names, [table, sheet]].slice(-MOST)));
  } catch {
    // A full store: the lobby leads to a new table as well.
  }
}

/** The sheet that was practised at a table, as far as this browser knows. */
export const sheetAt = (table: string, store: Store = localStorage): string | undefined =>
  load(store).find(([name]) => name === table)?.[1];

/** A new practice table with a seat at it; its name. */
export async function openPractice(sheet: string): Promise<string> {
  const seated = await post("/api/practice", { sheet });
  await session.look();
  return seated.table;
}

function load(store: Store): [string, string][] {
  try {
    const stored: unknown = JSON.parse(store.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as [string, string][]).filter(Array.isArray) : [];
  } catch {
    return [];
  }
}
