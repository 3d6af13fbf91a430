/** What a drawer was over or short, in words. */

import { isLoss } from "../words/money";
import { say } from "../words/say.svelte";

export const off = (amount: string, told: typeof say = say): string =>
  isLoss(amount)
    ? told("cage.receipts.short", { off: amount.replace("-", "") })
    : told("cage.receipts.over", { off: amount });
