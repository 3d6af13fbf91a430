/** The words for a drawer's variance. */

import { isLoss } from "../words/money";
import { say } from "../words/say.svelte";

export const varianceText = (amount: string, sayIn: typeof say = say): string =>
  isLoss(amount)
    ? sayIn("cage.receipts.short", { off: amount.replace("-", "") })
    : sayIn("cage.receipts.over", { off: amount });
