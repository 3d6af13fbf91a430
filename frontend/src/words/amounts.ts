/** Amounts as people type them, read as the house reads them: word for word the same refusals. */

export type Typed = { cents: bigint } | { refused: string };

const AMOUNT = /^[0-9]+(\.[0-9]{2})?$/;
const GROUPED = /^[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$/;
const WHOLE_MAX = 13;

/** The cents that a text like "10" or "10.00" stands for, or why it stands for none. */
export function typed(text: string): Typed {
  if (!AMOUNT.test(text)) {
    return { refused: `"${text}" is no amount of money${remedy(text)}` };
  }
  const [whole = "", cents = "0"] = text.replace(/^0+/, "").split(".");
  if (whole.length > WHOLE_MAX) return { refused: `"${text}" is more money than any table holds` };
  return { cents: BigInt(whole || "0") * 100n + BigInt(cents) };
}

/** A field for dollars says in words what is wrong with it, before anything is sent. */
export function dollars(input: HTMLInputElement) {
  const look = () => {
    const read: Typed = input.value === "" ? { cents: 0n } : typed(input.value);
    input.setCustomValidity("refused" in read ? read.refused : "");
  };
  input.addEventListener("input", look);
  look();
  return { destroy: () => input.removeEventListener("input", look) };
}

function remedy(text: string): string {
  let plain = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "").replace(/^\$/, "");
  if (plain.startsWith("-")) return "; it must not be negative";
  if (plain.includes(",") && !GROUPED.test(plain)) return commas(plain);
  plain = plain.replaceAll(",", "");
  if (/^[0-9]+\.[0-9]{3,}$/.test(plain)) {
    return `; nothing is finer than a cent${thousands(plain)}`;
  }
  if (/^[0-9]+\.[0-9]$/.test(plain)) return `; write "${plain}0"`;
  if (plain !== text && AMOUNT.test(plain)) return `; write "${plain}"`;
  return '; write dollars as in "10" or "10.00"';
}

/** For "5,0", which one reads as five and another as fifty: nobody here decides that. */
function commas(plain: string): string {
  const [, whole = "", cents = ""] = /^([0-9]+),([0-9]{1,2})$/.exec(plain) ?? [];
  if (whole) {
    return `; a comma is no decimal point: write "${whole}.${cents.padEnd(2, "0")}" or "${whole}${cents}"`;
  }
  return '; commas go before groups of three digits alone: write dollars as in "1000" or "10.00"';
}

const thousands = (plain: string): string =>
  /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(plain)
    ? `; for thousands write "${plain.replace(".", "")}"`
    : "";
