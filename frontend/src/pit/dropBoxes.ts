/** Drop boxes: where one is counted, and the receipt number of its last count. */

import { get } from "../api/requests";

export const boxPath = (table: string) =>
  `/api/counter/boxes/${encodeURIComponent(table)}/count` as const;

/** The number of the last count. Sending it with the next count detects that two people count the same money. */
export async function lastCount(table: string): Promise<number> {
  const { boxes } = await get("/api/counter/boxes");
  return boxes.find((box) => box.table === table)?.last ?? 0;
}
