/** Amounts as people read them. They come as text and stay text: the page never adds money up. */

/** "1234.50" as "$1,234.50", "10.00" as "$10", "-20.00" as "−$20". */
export function spoken(amount: string): string {
  const minus = amount.startsWith("-");
  const [whole = "0", cents = "00"] = (minus ? amount.slice(1) : amount).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${minus ? "−" : ""}$${grouped}${cents === "00" ? "" : `.${cents}`}`;
}

/** Whether a unit is one of play money at a night's rehearsal: "rehearsal-event-chip:gala". */
export const isRehearsed = (unit: string | undefined): boolean =>
  unit?.startsWith("rehearsal") ?? false;

/** What a player's money at a table is, by its unit: "usd", "play", "event-chip:gala". */
export function purse(unit: string | undefined): string {
  if (isRehearsed(unit)) return "Rehearsal chips";
  if (unit === "play") return "Play chips";
  if (unit?.startsWith("event-chip:")) return "Event chips";
  return unit?.startsWith("tournament:") ? "Tournament chips" : "Balance";
}

/** A result with its sign: "+$125", "−$20", "$0". */
export const signed = (amount: string): string =>
  isNone(amount) || amount.startsWith("-") ? spoken(amount) : `+${spoken(amount)}`;

export const isNone = (amount: string): boolean => /^-?0*(\.0*)?$/.test(amount);
export const isLoss = (amount: string): boolean => amount.startsWith("-") && !isNone(amount);
export const isWin = (amount: string): boolean => !amount.startsWith("-") && !isNone(amount);

/** What stands on a chip: "5", "1k". */
export function onChip(value: string): string {
  const [whole = "", cents = "00"] = value.split(".");
  if (whole === "0") return `${cents}¢`;
  return whole.length > 3 && whole.endsWith("000") ? `${whole.slice(0, -3)}k` : whole;
}

/** The house names who cannot pay; to that person it says "you". */
export const toMe = (message: string, name: string | undefined): string =>
  name !== undefined && message.startsWith(`${name} has `)
    ? `you have ${message.slice(name.length + 5)}`
    : message;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
