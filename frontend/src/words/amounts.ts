/** Parses typed amounts by the server's rules, with the same refusals. */

import { withoutSign } from "./formats";
import { say } from "./say.svelte";

export type ParsedAmount = { cents: bigint } | { refused: string };

const AMOUNT = /^[0-9]+(\.[0-9]{2})?$/;
const GROUPED = /^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$/;
const WHOLE_MAX = 13;

/** The cents of a text like "10" or "10.00", or the reason it is invalid. */
export function parseAmount(text: string): ParsedAmount {
  if (!AMOUNT.test(text)) {
    return { refused: say("words.amount.none", { text, remedy: remedy(text) }) };
  }
  const [whole = "", cents = "0"] = text.replace(/^0+/, "").split(".");
  if (whole.length > WHOLE_MAX) return { refused: say("words.amount.too-much", { text }) };
  return { cents: BigInt(whole || "0") * 100n + BigInt(cents) };
}

/** Svelte action: validate a dollar field with a message before it is sent. */
export function validateMoney(input: HTMLInputElement) {
  const refresh = () => {
    const parsed: ParsedAmount = input.value === "" ? { cents: 0n } : parseAmount(input.value);
    input.setCustomValidity("refused" in parsed ? parsed.refused : "");
  };
  input.addEventListener("input", refresh);
  refresh();
  return { destroy: () => input.removeEventListener("input", refresh) };
}

function remedy(text: string): string {
  let digits = withoutSign(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""));
  if (digits.startsWith("-")) return say("words.amount.negative");
  if (digits.includes(",") && !GROUPED.test(digits)) return commaRefusal(digits);
  digits = digits.replaceAll(",", "");
  if (/^[0-9]+\.[0-9]{3,}$/.test(digits)) {
    return say("words.amount.finer") + thousandsHint(digits);
  }
  if (/^[0-9]+\.[0-9]$/.test(digits)) return say("words.amount.write", { plain: `${digits}0` });
  if (digits !== text && AMOUNT.test(digits)) return say("words.amount.write", { plain: digits });
  return say("words.amount.plain");
}

/** The refusal for "5,0", which may mean five or fifty. */
function commaRefusal(digits: string): string {
  const [, whole = "", cents = ""] = /^([0-9]+),([0-9]{1,2})$/.exec(digits) ?? [];
  if (whole) {
    const amount = `${whole}.${cents.padEnd(2, "0")}`;
    return say("words.amount.comma", { cents: amount, whole: `${whole}${cents}` });
  }
  return say("words.amount.groups");
}

const thousandsHint = (digits: string): string =>
  /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(digits)
    ? say("words.amount.thousands", { plain: digits.replace(".", "") })
    : "";
