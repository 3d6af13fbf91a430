/** The boxes of tables: where one is counted, and by which receipt it was counted last. */

import { get } from "../api/ask";

export const boxPath = (table: string) =>
  `/api/counter/boxes/${encodeURIComponent(table)}/count` as const;

/** Sent with the next count, so that two who count the same money are found out. */
export async function lastCount(table: string): Promise<number> {
  const { boxes } = await get("/api/counter/boxes");
  return boxes.find((box) => box.table === table)?.last ?? 0;
}
