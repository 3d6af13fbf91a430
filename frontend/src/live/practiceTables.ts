/** Remembers which sheet each practice table used, so that a closed table can be replaced. */

import { post } from "../api/requests";
import { session } from "../people/session.svelte";

const KEY = "pitbook.practised";
const TABLES_MAX = 20;

type Store = Pick<Storage, "getItem" | "setItem">;

/** Remember the sheet of a practice table and drop the oldest entries. */
export function rememberPractice(table: string, sheet: string, store: Store = localStorage): void {
  const names = load(store).filter(([name]) => name !== table);
  try {
    store.setItem(KEY, JSON.stringify([...names, [table, sheet]].slice(-TABLES_MAX)));
  } catch {
    // Storage is full. The lobby can open a new table too.
  }
}

/** The sheet of a practice table, if this browser remembers it. */
export const sheetAt = (table: string, store: Store = localStorage): string | undefined =>
  load(store).find(([name]) => name === table)?.[1];

/** Open a practice table and take a seat. Returns the table's name. */
export async function openPractice(sheet: string): Promise<string> {
  const seated = await post("/api/practice", { sheet });
  await session.refresh();
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
