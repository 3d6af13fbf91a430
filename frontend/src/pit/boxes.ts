/** The boxes of tables: where one is counted, and by which receipt it was counted last. */

import type { Boxes } from "../api/types";
import { get } from "../api/ask";

export const boxPath = (table: string): string =>
  `/counter/boxes/${encodeURIComponent(table)}/count`;

/** Sent with the next count, so that two who count the same money are found out. */
export async function lastCount(table: string): Promise<number> {
  const { boxes } = await get<Boxes>("/api/counter/boxes");
  return boxes.find((one) => one.table === table)?.last ?? 0;
}
