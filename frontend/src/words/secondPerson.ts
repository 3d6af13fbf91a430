/** Addresses the reader as "you" in refusals that name them. */

import type { Refusal } from "../api/types";
import { ofCents } from "./money";
import { moment, say } from "./say.svelte";

type RefusalFields = NonNullable<Refusal["fields"]>;

const TO_ME: Record<string, (fields: RefusalFields) => string> = {
  "table.desk.not-covered": ({ left, needed }) =>
    say("words.you-have-left", { left: ofCents(left), needed: ofCents(needed) }),
  "table.refills.enough": ({ has, least }) =>
    say("words.you-have-enough", { has: ofCents(has), least: ofCents(least) }),
  "engine.wagers.too-many-spots": ({ count, seats, most }) =>
    say("words.you-have-seats", {
      count: Number(count),
      seats: seats as number[],
      most: Number(most),
    }),
  "table.interruptions.answered": () => say("words.you-answered"),
  "table.readiness.not-said": () => say("words.you-not-ready"),
  "identity.roster.rests": () => say("words.you-rest"),
  "identity.roster.rests-until": ({ until }) =>
    say("words.you-rest-until", { until: localTime(String(until)) }),
};

/** The server writes times in UTC: "2026-11-18 22:00". */
const localTime = (until: string): string =>
  moment(`${until.replace(" ", "T")}Z`, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });

let reader: () => string | undefined = () => undefined;

/** Set who reads the page. */
export const setReader = (readerName: typeof reader): void => void (reader = readerName);

/** A refusal addressed to the reader if it is about them, else unchanged. */
export function addressReader(value: unknown, name = reader()): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { key, fields } = value as Partial<Refusal>;
  const message = key !== undefined && Object.hasOwn(TO_ME, key) ? TO_ME[key] : undefined;
  if (!message || !fields || name === undefined || fields.player !== name) return value;
  return { ...value, message: message(fields) };
}
