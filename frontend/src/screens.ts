/** The page's addresses and their screens. */

import type { Answer } from "./api/routes";

export type Screen =
  | { kind: "lobby" }
  | { kind: "table"; table: string }
  | { kind: "deal"; table: string }
  | { kind: "rules"; sheet: string }
  | { kind: "clause"; clause: string }
  | { kind: "table-rules"; table: string }
  | { kind: "history"; table: string | null }
  | { kind: "round"; table: string; round: string }
  | { kind: "shared"; token: string }
  | { kind: "coach" }
  | { kind: "learn"; sheet: string | null }
  | { kind: "glossary" }
  | { kind: "daily" }
  | { kind: "verify" }
  | { kind: "explore"; sheet: string | null }
  | { kind: "care" }
  | { kind: "train"; part: string; id: string | null }
  | { kind: "certificate"; id: string }
  | { kind: "lab"; sheet: string | null }
  | { kind: "pit"; part: string }
  | { kind: "cage" }
  | { kind: "nights" }
  | { kind: "night"; event: string; part: string; tournament: string | null }
  | { kind: "board"; event: string; tournament: string }
  | { kind: "check-in"; token: string }
  | { kind: "sign-in" }
  | { kind: "account" }
  | { kind: "api" }
  | ServerScreen;

/** Screens whose data comes from the server, which decides who may see them. */
export type ServerScreen =
  | ({ kind: "invitation" } & Pick<Answer<"get", `/api/invitations/${string}`>, "role">)
  | ({ kind: "reset" } & Pick<Answer<"get", `/api/resets/${string}`>, "name">)
  | { kind: "closed"; link: "invitation" | "reset" }
  | { kind: "not-found" };

type ScreenBuilder = (rest: string[]) => Screen | null;

/** Maximum number of path segments after the first. */
const REST_MAX: Record<string, number> = {
  table: 3,
  rules: 2,
  clause: 1,
  shared: 1,
  train: 2,
  certificate: 1,
  lab: 2,
  learn: 2,
  explore: 2,
  pit: 1,
  night: 3,
  board: 2,
  "check-in": 1,
  api: 1,
};
const TRAIN = ["drill", "progress", "tests", "class"];
const PIT = [
  "tables",
  "inspect",
  "exceptions",
  "incidents",
  "interruptions",
  "events",
  "explain",
  "statement",
  "people",
];
const NIGHT = ["tournaments", "cage", "tables", "closing"];

const SCREENS: Record<string, ScreenBuilder> = {
  "": () => ({ kind: "lobby" }),
  table: ([table, rounds, round]) => atTable(table, rounds, round),
  rules: ([venue, game]) => (venue && game ? { kind: "rules", sheet: `${venue}/${game}` } : null),
  clause: ([clause]) => (clause ? { kind: "clause", clause } : null),
  rounds: () => ({ kind: "history", table: null }),
  shared: ([token]) => (token ? { kind: "shared", token } : null),
  coach: () => ({ kind: "coach" }),
  lab: ([venue, game]) => ofSheet("lab", venue, game),
  learn: ([venue, game]) => ofSheet("learn", venue, game),
  care: () => ({ kind: "care" }),
  explore: ([venue, game]) => ofSheet("explore", venue, game),
  verify: () => ({ kind: "verify" }),
  daily: () => ({ kind: "daily" }),
  glossary: () => ({ kind: "glossary" }),
  train: ([part = "drill", name]) => inTraining(part, name),
  certificate: ([id]) => (id ? { kind: "certificate", id } : null),
  pit: ([part = "tables"]) => (PIT.includes(part) ? { kind: "pit", part } : null),
  cage: () => ({ kind: "cage" }),
  night: ([event, part, name]) => atNight(event, part, name),
  board: ([event, tournament]) =>
    event && tournament ? { kind: "board", event, tournament } : null,
  "check-in": ([token]) => (token ? { kind: "check-in", token } : null),
  "sign-in": () => ({ kind: "sign-in" }),
  account: () => ({ kind: "account" }),
  api: ([what]) => (what === "docs" ? { kind: "api" } : null),
};

/** The screen of a path, or "not-found". */
export function screenOf(path: string): Screen {
  const [first = "", ...rest] = path.split("/").filter(Boolean).map(decodePart);
  const isKnown = Object.hasOwn(SCREENS, first) && rest.length <= (REST_MAX[first] ?? 0);
  const screen = isKnown ? SCREENS[first]?.(rest) : null;
  return screen ?? { kind: "not-found" };
}

/** A query parameter. */
export const queryParam = (search: string, name: string): string | null =>
  new URLSearchParams(search).get(name);

function atTable(table?: string, rounds?: string, round?: string): Screen | null {
  if (!table) return null;
  if (!rounds) return { kind: "table", table };
  if (rounds === "rules") return { kind: "table-rules", table };
  if (rounds === "deal") return { kind: "deal", table };
  if (rounds !== "rounds") return null;
  return round ? { kind: "round", table, round } : { kind: "history", table };
}

/** A screen for one sheet, or without one. */
function ofSheet(kind: "lab" | "learn" | "explore", venue?: string, game?: string): Screen | null {
  if (!venue) return { kind, sheet: null };
  return game ? { kind, sheet: `${venue}/${game}` } : null;
}

function inTraining(part: string, name?: string): Screen | null {
  if (part === "test") return name ? { kind: "train", part, id: name } : null;
  return TRAIN.includes(part) && !name ? { kind: "train", part, id: null } : null;
}

function atNight(event?: string, part = "tournaments", name?: string): Screen | null {
  if (!NIGHT.includes(part)) return null;
  return event ? { kind: "night", event, part, tournament: name ?? null } : { kind: "nights" };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
