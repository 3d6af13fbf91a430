/** A schedule as form fields: all text until the server reads it. */

import type { Finding } from "../api/types";

/** A schedule's fields as the server reads and writes them. */
export type Value = string | number | boolean | Value[] | DraftFields;
export interface DraftFields {
  [key: string]: Value;
}

export interface PriceDraft {
  costs: string;
  fee: string;
  chips: string;
}

export interface ExtraDraft extends PriceDraft {
  sold: boolean;
  player_max: string;
  until_level: string;
  chips_max: string;
}

export interface Bounds {
  min: string;
  max: string;
}

export interface LevelDraft {
  id: number;
  minutes: string;
  break_after: string;
  limits: Record<string, Bounds>;
}

export interface PrizeDraft {
  id: number;
  entrants: string;
  shares: string;
}

export interface Draft {
  title: string;
  kind: string;
  sheet: string;
  seats: string;
  ends: string;
  enter_until_level: string;
  higher_limit: boolean;
  buy_in: PriceDraft;
  re_buy: ExtraDraft;
  add_on: ExtraDraft;
  /** Wagers that some level limits, in column order. */
  wagers: string[];
  levels: LevelDraft[];
  prizes: PrizeDraft[];
}

let ids = 0;
export const newId = (): number => ++ids;

const KNOWN = {
  all: "title kind sheet seats ends enter_until_level higher_limit buy_in re_buy add_on levels prizes",
  price: "costs fee chips",
  extra: "costs fee chips player_max until_level chips_max",
  level: "minutes break_after limits",
  bounds: "min max",
  prize: "entrants shares",
};

/** The draft of a schedule, or null if the form has no fields for part of it. */
export function draftOf(schedule: DraftFields | null): Draft | null {
  try {
    return schedule && draftFrom(refuseUnknown(KNOWN.all, schedule));
  } catch {
    return null;
  }
}

function draftFrom(draftFields: DraftFields): Draft {
  const levels = tables(draftFields.levels).map((row) => refuseUnknown(KNOWN.level, row));
  const limits = levels.map((level) => table(level.limits));
  const wagers = [...new Set(limits.flatMap((limits) => Object.keys(limits)))];
  return {
    title: text(draftFields.title),
    kind: text(draftFields.kind),
    sheet: text(draftFields.sheet),
    seats: text(draftFields.seats),
    ends: text(draftFields.ends) || "one-left",
    enter_until_level: text(draftFields.enter_until_level),
    higher_limit: draftFields.higher_limit === true,
    buy_in: price(refuseUnknown(KNOWN.price, table(draftFields.buy_in))),
    re_buy: extra(draftFields.re_buy),
    add_on: extra(draftFields.add_on),
    wagers,
    levels: levels.map((level, n) => ({
      id: newId(),
      minutes: text(level.minutes),
      break_after: text(level.break_after),
      limits: Object.fromEntries(wagers.map((wager) => [wager, bounds(limits[n]?.[wager])])),
    })),
    prizes: tables(draftFields.prizes).map((prize) => ({
      id: newId(),
      entrants: text(refuseUnknown(KNOWN.prize, prize).entrants),
      shares: (Array.isArray(prize.shares) ? prize.shares : [])
        .map((share) => text(share))
        .join(", "),
    })),
  };
}

const price = (fields: DraftFields): PriceDraft => ({
  costs: text(fields.costs),
  fee: text(fields.fee),
  chips: text(fields.chips),
});

function extra(draftFields: Value | undefined): ExtraDraft {
  const fields = refuseUnknown(KNOWN.extra, table(draftFields));
  return {
    ...price(fields),
    sold: draftFields !== undefined,
    player_max: text(fields.player_max),
    until_level: text(fields.until_level),
    chips_max: text(fields.chips_max),
  };
}

function bounds(draftFields: Value | undefined): Bounds {
  const fields = refuseUnknown(KNOWN.bounds, table(draftFields));
  return { min: text(fields.min), max: text(fields.max) };
}

function refuseUnknown(knownFields: string, draftFields: DraftFields): DraftFields {
  const unknownField = Object.keys(draftFields).find(
    (key) => !knownFields.split(" ").includes(key),
  );
  if (unknownField !== undefined) throw new Error(unknownField);
  return draftFields;
}

function text(value: Value | undefined): string {
  if (typeof value === "object") throw new Error("a table in a field");
  return value === undefined ? "" : String(value);
}

function table(value: Value | undefined): DraftFields {
  if (value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new Error("no table");
  return value;
}

const tables = (value: Value | undefined): DraftFields[] =>
  (Array.isArray(value) ? value : []).map((entry) => table(entry));

/** The schedule of a draft, without its empty fields. */
export function scheduleOf(draft: Draft): DraftFields {
  return withoutBlanks({
    title: draft.title,
    kind: draft.kind,
    sheet: draft.sheet,
    seats: number(draft.seats),
    ends: draft.ends,
    enter_until_level: number(draft.enter_until_level),
    higher_limit: draft.higher_limit || undefined,
    buy_in: priceOf(draft.buy_in),
    re_buy: extraOf(draft.re_buy),
    add_on: extraOf(draft.add_on),
    levels: draft.levels.map((level) => levelOf(level, draft.wagers)),
    prizes: draft.prizes.map((prize) =>
      withoutBlanks({ entrants: number(prize.entrants), shares: sharesOf(prize.shares) }),
    ),
  });
}

const priceOf = ({ costs, fee, chips }: PriceDraft): DraftFields =>
  withoutBlanks({ costs, fee, chips });

const extraOf = (extra: ExtraDraft): DraftFields | undefined =>
  extra.sold
    ? {
        ...priceOf(extra),
        ...withoutBlanks({
          player_max: number(extra.player_max),
          until_level: number(extra.until_level),
          chips_max: extra.chips_max,
        }),
      }
    : undefined;

function levelOf(level: LevelDraft, wagers: readonly string[]): DraftFields {
  const limits = withoutBlanks(
    Object.fromEntries(
      wagers.map((wager) => {
        const limits = withoutBlanks({ ...level.limits[wager] });
        return [wager, Object.keys(limits).length ? limits : undefined];
      }),
    ),
  );
  return withoutBlanks({
    minutes: number(level.minutes),
    limits: Object.keys(limits).length ? limits : undefined,
    break_after: number(level.break_after),
  });
}

const sharesOf = (shares: string): Value[] =>
  shares
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map((text) => number(text));

/** A whole number, or the text as typed for the server to reject. */
const number = (input: string): Value => (/^\s*\d{1,9}\s*$/.test(input) ? Number(input) : input);

const withoutBlanks = (draftFields: Record<string, Value | undefined>): DraftFields =>
  Object.fromEntries(
    Object.entries(draftFields).filter(([, value]) => value !== undefined && value !== ""),
  ) as DraftFields;

/** Split findings into those of visible fields and the rest. */
export function placeFindings(
  findings: readonly Finding[],
  names: readonly string[],
): { wrong: Record<string, string>; others: string[] } {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const { field, message } of findings) {
    const name = placeOf(field, names);
    if (name === null) others.push(field ? `${field}: ${message}` : message);
    else byField[name] = name in byField ? `${byField[name]}; ${message}` : message;
  }
  return { wrong: byField, others };
}

/** The visible field for a finding: itself, the first one inside it, or the one that contains it. */
function placeOf(field: string, names: readonly string[]): string | null {
  if (!field) return null;
  if (names.includes(field)) return field;
  const fieldName = names.find(
    (name) => name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
  );
  if (fieldName !== undefined) return fieldName;
  const outer = field.replace(/(\[\d+\]|\.?[^.[]+)$/, "");
  return names.includes(outer) ? outer : null;
}
