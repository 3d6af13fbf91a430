/** Formatting of money for people. Amounts are strings, and the page never adds them. */

import { CHIPS, MINUS, money, PLUS } from "./formats";
import { currentCurrency, formatRules, say } from "./say.svelte";

/** "1234.50" as "$1,234.50", "10.00" as "$10", "-20.00" as "−$20". */
export const formatMoney = (amount: string, currency?: string | null): string =>
  money(amount, formatRules(currency));

/** "1234.50" as "1,234.50", for chips. */
export const plainAmount = (amount: string): string =>
  money(amount, { ...formatRules(), sign: "" });

/** An exact fraction of money: "123/456" as "$123/456". */
export const exactMoney = (fraction: string, currency?: string | null): string => {
  const { sign } = formatRules(currency);
  return fraction.startsWith("-") ? `${MINUS}${sign}${fraction.slice(1)}` : `${sign}${fraction}`;
};

/** The name of a currency: "dollars", "euros". */
export const moneyName = (currency?: string | null): string =>
  say("words.money", { currency: currency ?? currentCurrency() });

/** True for play money of a night's rehearsal: "rehearsal-event-chip:gala". */
export const isRehearsed = (unit: string | undefined): boolean =>
  unit?.startsWith("rehearsal") ?? false;

/** The currency at a table, where tournament chips count as a unit without a currency. */
export const currencyAt = (unit: string | undefined, currency?: string | null) =>
  /(^|-)tournament:/.test(unit ?? "") ? CHIPS : currency;

/** The name of a balance by its unit: "usd", "play", "event-chip:gala". */
export const balanceName = (unit: string | undefined): string =>
  say("words.purse", { unit: unitKind(unit) });

/** "usd", "play", "event", "tournament" or "rehearsal". */
export const unitKind = (unit: string | undefined): string =>
  isRehearsed(unit) ? "rehearsal" : (unit?.split(/-chip:|:/)[0] ?? "usd");

/** A sum worded by the server, with a typographic minus: "-$4.88" as "−$4.88". */
export const withMinus = ({ text }: { text: string }): string => text.replace(/^-/, MINUS);

/** A result with its sign: "+$125", "−$20", "$0". */
export const formatSigned = (amount: string, currency?: string | null): string =>
  isZero(amount) || amount.startsWith("-")
    ? formatMoney(amount, currency)
    : `${PLUS}${formatMoney(amount, currency)}`;

export const isZero = (amount: string): boolean => /^-?0*(\.0*)?$/.test(amount);
export const isLoss = (amount: string): boolean => amount.startsWith("-") && !isZero(amount);
export const isWin = (amount: string): boolean => !amount.startsWith("-") && !isZero(amount);

/** A chip's label: "5", "1k", "2½". */
export function chipLabel(value: string): string {
  const [whole = "", cents = "00"] = value.split(".");
  if (whole === "0") return `${cents}¢`;
  if (cents !== "00") return cents === "50" ? `${whole}½` : value;
  return whole.length > 3 && whole.endsWith("000") ? `${whole.slice(0, -3)}k` : whole;
}

/** Cents as an amount: 150000 as "1500.00". */
export const ofCents = (cents: unknown): string => {
  const digits = String(cents).padStart(3, "0");
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

export { capital } from "./formats";
