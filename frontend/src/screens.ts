/** The page's addresses and their screens. */

import type { Answer } from "./api/routes";

export type Screen =
  | { at: "lobby" }
  | { at: "table"; table: string }
  | { at: "deal"; table: string }
  | { at: "rules"; sheet: string }
  | { at: "clause"; clause: string }
  | { at: "table-rules"; table: string }
  | { at: "history"; table: string | null }
  | { at: "round"; table: string; round: string }
  | { at: "shared"; token: string }
  | { at: "coach" }
  | { at: "learn"; sheet: string | null }
  | { at: "glossary" }
  | { at: "daily" }
  | { at: "verify" }
  | { at: "explore"; sheet: string | null }
  | { at: "care" }
  | { at: "train"; part: string; id: string | null }
  | { at: "certificate"; id: string }
  | { at: "lab"; sheet: string | null }
  | { at: "pit"; part: string }
  | { at: "cage" }
  | { at: "nights" }
  | { at: "night"; event: string; part: string; tournament: string | null }
  | { at: "board"; event: string; tournament: string }
  | { at: "check-in"; token: string }
  | { at: "sign-in" }
  | { at: "account" }
  | { at: "api" }
  | ServerScreen;

/** Screens whose data comes from the server, which decides who may see them. */
export type ServerScreen =
  | ({ at: "invitation" } & Pick<Answer<"get", `/api/invitations/${string}`>, "role">)
  | ({ at: "reset" } & Pick<Answer<"get", `/api/resets/${string}`>, "name">)
  | { at: "closed"; link: "invitation" | "reset" }
  | { at: "nowhere" };

type Maker = (rest: string[]) => Screen | null;

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

const SCREENS: Record<string, Maker> = {
  "": () => ({ at: "lobby" }),
  table: ([table, rounds, round]) => atTable(table, rounds, round),
  rules: ([venue, game]) => (venue && game ? { at: "rules", sheet: `${venue}/${game}` } : null),
  clause: ([clause]) => (clause ? { at: "clause", clause } : null),
  rounds: () => ({ at: "history", table: null }),
  shared: ([token]) => (token ? { at: "shared", token } : null),
  coach: () => ({ at: "coach" }),
  lab: ([venue, game]) => ofSheet("lab", venue, game),
  learn: ([venue, game]) => ofSheet("learn", venue, game),
  care: () => ({ at: "care" }),
  explore: ([venue, game]) => ofSheet("explore", venue, game),
  verify: () => ({ at: "verify" }),
  daily: () => ({ at: "daily" }),
  glossary: () => ({ at: "glossary" }),
  train: ([part = "drill", name]) => inTraining(part, name),
  certificate: ([id]) => (id ? { at: "certificate", id } : null),
  pit: ([part = "tables"]) => (PIT.includes(part) ? { at: "pit", part } : null),
  cage: () => ({ at: "cage" }),
  night: ([event, part, name]) => atNight(event, part, name),
  board: ([event, tournament]) => (event && tournament ? { at: "board", event, tournament } : null),
  "check-in": ([token]) => (token ? { at: "check-in", token } : null),
  "sign-in": () => ({ at: "sign-in" }),
  account: () => ({ at: "account" }),
  api: ([what]) => (what === "docs" ? { at: "api" } : null),
};

/** The screen of a path, or "nowhere". */
export function screenOf(path: string): Screen {
  const [first = "", ...rest] = path.split("/").filter(Boolean).map(decodePart);
  const known = Object.hasOwn(SCREENS, first) && rest.length <= (REST_MAX[first] ?? 0);
  const screen = known ? SCREENS[first]?.(rest) : null;
  return screen ?? { at: "nowhere" };
}

/** A query parameter. */
export const queryParam = (search: string, name: string): string | null =>
  new URLSearchParams(search).get(name);

function atTable(table?: string, rounds?: string, round?: string): Screen | null {
  if (!table) return null;
  if (!rounds) return { at: "table", table };
  if (rounds === "rules") return { at: "table-rules", table };
  if (rounds === "deal") return { at: "deal", table };
  if (rounds !== "rounds") return null;
  return round ? { at: "round", table, round } : { at: "history", table };
}

/** A screen for one sheet, or without one. */
function ofSheet(at: "lab" | "learn" | "explore", venue?: string, game?: string): Screen | null {
  if (!venue) return { at, sheet: null };
  return game ? { at, sheet: `${venue}/${game}` } : null;
}

function inTraining(part: string, name?: string): Screen | null {
  if (part === "test") return name ? { at: "train", part, id: name } : null;
  return TRAIN.includes(part) && !name ? { at: "train", part, id: null } : null;
}

function atNight(event?: string, part = "tournaments", name?: string): Screen | null {
  if (!NIGHT.includes(part)) return null;
  return event ? { at: "night", event, part, tournament: name ?? null } : { at: "nights" };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
