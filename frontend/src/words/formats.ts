/** Formatting of money, numbers, cards, dates and lists, by language. */

/** The conjunction before a list's last item, and its variant before certain sounds. */
export interface Conjunction {
  word: string;
  instead?: string;
  before?: string[];
}

/** The default currency of sheets. */
export const DOLLAR = "USD";

/** The unit of tournament chips, which are not money. */
export const CHIPS = "CHIPS";

/** Currency signs. Other currencies use their code. */
const SIGNS: Record<string, string> = {
  USD: "$",
  CAD: "C$",
  EUR: "€",
  GBP: "£",
  MXN: "MX$",
  CHIPS: "",
};

export const signOf = (currency: string): string =>
  Object.hasOwn(SIGNS, currency) ? (SIGNS[currency] ?? "") : `${currency} `;

/** An amount without its currency sign. */
export const withoutSign = (text: string): string =>
  text.slice(Object.values(SIGNS).find((sign) => sign && text.startsWith(sign))?.length ?? 0);

/** A language's formatting rules from `format.json`, with a currency sign. */
export interface FormatRules {
  sign: string;
  thousands: string;
  decimal: string;
  numbers: string[];
  ranks: Record<string, string>;
  suits: Record<string, string>;
  card: string;
  lists: { and: Conjunction; or: Conjunction };
}

const SYMBOLS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
const CENTS = /^(-?)([0-9]+)(?:\.([0-9]{2}))?$/;

/** Word joiner: prevents a line break after a minus sign or a hyphen. */
export const JOINED = "\u2060";
export const MINUS = `−${JOINED}`;
export const PLUS = `+${JOINED}`;

/** "1234.50" as "$1,234.50", "10.00" as "$10", "-20.00" as "−$20". Other texts are unchanged. */
export function money(amount: string, formatRules: FormatRules): string {
  const [, minus, whole = "", cents = "00"] = CENTS.exec(amount) ?? [];
  if (!whole) return amount;
  const units = `${formatRules.sign}${groupDigits(whole, formatRules)}`;
  return `${minus ? MINUS : ""}${units}${cents === "00" ? "" : `${formatRules.decimal}${cents}`}`;
}

/** "K♣" */
export const symbol = (card: string): string =>
  `${card.charAt(0) === "T" ? "10" : card.charAt(0)}${SYMBOLS[card.charAt(1)] ?? ""}`;

/** "king of clubs" */
export function cardName(card: string, formatRules: FormatRules): string {
  const [rank, suit] = [card.charAt(0), card.charAt(1)];
  return formatRules.card
    .replace("{rank}", formatRules.ranks[rank] ?? rank)
    .replace("{suit}", formatRules.suits[suit] ?? suit);
}

/** "a, b and c" */
export function joinWords(words: readonly string[], joint: Conjunction): string {
  const last = words.at(-1) ?? "";
  if (words.length < 2) return last;
  const useVariant = joint.before?.some((sound) => last.toLowerCase().startsWith(sound));
  const word = useVariant ? (joint.instead ?? joint.word) : joint.word;
  return `${words.slice(0, -1).join(", ")} ${word} ${last}`;
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** With thousands separators: "12,345". */
export function count(value: number | bigint, formatRules: FormatRules): string {
  return `${value < 0 ? "−" : ""}${groupDigits(String(value).replace("-", ""), formatRules)}`;
}

/** 0.04914858 as "4.915%". */
/** "-56011/39200" as "−1.4288", for display only. */
export function roundFraction(fraction: string, { decimal }: FormatRules): string {
  const [above = 0, below = 1] = fraction.split("/").map(Number);
  if (Number.isInteger(above / below)) return String(above / below).replace("-", "−");
  return (above / below).toFixed(4).replace("-", "−").replace(".", decimal);
}

export const percent = (share: number, places: number, { decimal }: FormatRules): string =>
  `${(100 * share).toFixed(places).replace(".", decimal)}%`;

/** A date or time in the reader's time zone. */
export const formatDate = (
  at: string | number,
  style: Intl.DateTimeFormatOptions,
  locale: string,
): string => new Date(at).toLocaleString(locale, style);

const groupDigits = (digits: string, { thousands }: FormatRules): string =>
  digits.replace(/\B(?=(\d{3})+$)/g, thousands);

type Formatter = (value: never, formatRules: FormatRules) => string;

/** Formatters by their name in templates. */
export const FORMATS = {
  money,
  count,
  capital: (value: string) => capital(value),
  number: (value: number, { numbers }: FormatRules) => numbers[value] ?? String(value),
  quoted: (value: string | number) => `"${value}"`,
  symbol: (card: string) => symbol(card),
  card: cardName,
} satisfies Record<string, Formatter>;
