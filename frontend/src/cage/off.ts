/** What a drawer was over or short, in words. */

import { isLoss } from "../words/money";
import { say } from "../words/say.svelte";

export const off = (amount: string): string =>
  isLoss(amount)
    ? say("cage.receipts.short", { off: amount.replace("-", "") })
    : say("cage.receipts.over", { off: amount });
