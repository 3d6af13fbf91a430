/** Describes a change in words: a record's fields before and after, as the server sent them. */

import type { SignificantEvent } from "../api/types";
import { formatMoney } from "../words/money";
import { moment, say } from "../words/say.svelte";

const MONEY = /^-?\d+\.\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(\+00:00|Z)$/;
const TABLE = "table/";
const HASH = /^[0-9a-f]{64}$/; // A hash, shown by its first characters.

/** Fields whose values are codes. Names of people stay as they are. */
const CODES: Record<string, (code: string) => string> = {
  kind: (kind) => say("pit.events.kind", { kind }),
  part: (reason) => say("pit.events.reason", { reason }),
  reason: (reason) => say("pit.events.reason", { reason }),
  role: (role) => say("page.role", { role }),
};

/** A value in words, in a currency. */
export function describe(value: unknown, currency?: string): string {
  if (typeof value === "string") {
    if (MONEY.test(value)) return formatMoney(value, currency);
    if (TIME.test(value)) return moment(value, { dateStyle: "short", timeStyle: "medium" });
    return HASH.test(value) ? `${value.slice(0, 12)}…` : value;
  }
  if (typeof value === "boolean") return say("pit.events.yes", { yes: String(value) });
  if (value === null || value === undefined) return say("pit.events.none");
  if (typeof value !== "object") return String(value as number);
  if (!Array.isArray(value))
    return Object.entries(value)
      .map((entry) => field(entry, currency))
      .join(", ");
  return value.length
    ? say("pit.events.both", { values: value.map((entry) => describe(entry, currency)) })
    : say("pit.events.none");
}

function field([name, value]: [string, unknown], currency?: string): string {
  const isCode = typeof value === "string" && Object.hasOwn(CODES, name);
  return say("pit.events.field", {
    name,
    value: (isCode && CODES[name]?.(value)) || describe(value, currency),
  });
}

/** The currency of a stream's amounts, if its table does not use dollars. */
export const currencyIn = (currencies: Record<string, string>, stream: string) =>
  stream.startsWith(TABLE) ? currencies[stream.slice(TABLE.length)] : undefined;

type Change = Pick<SignificantEvent, "what" | "before" | "after" | "why">;

/** Before, after and why, as far as each exists. */
export const describeChange = (record: Change, currency?: string): string =>
  [
    record.before ? say("pit.events.before", { what: describe(record.before, currency) }) : "",
    record.after ? say("pit.events.after", { what: describe(record.after, currency) }) : "",
    record.why && record.why !== record.what ? say("pit.events.why", { why: record.why }) : "", // The reason may repeat the kind of request.
  ]
    .filter(Boolean)
    .join("; ");
