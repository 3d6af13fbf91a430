/** What the coach tells: exact sums with words for people, decisions, and how practice went. */

export interface Sum {
  exact: string;
  dollars: string;
  text: string;
  units?: string;
}

/** Whether a sum is more than nothing, be it less than a cent. */
export const isSome = ({ exact }: Sum): boolean => exact !== "0";

export interface PlayValue {
  play: string;
  title: string;
  /** Nothing where the chips do not pay for it. */
  worth: Sum | null;
  cost: Sum | null;
  best: boolean;
  covered: boolean;
}

export interface Advice {
  best: string;
  why: string;
  unit: string;
  stake: string;
  plays: PlayValue[];
  /** What would be best with chips for every bet. */
  best_with_chips: string;
}

export interface Weighed extends Advice {
  play: string;
  is_best: boolean;
  cost: Sum;
  sentence: string;
}

export interface Decision {
  round: string;
  table: string;
  at: string;
  sheet: { id: string; title: string };
  seat: number;
  stage: number;
  street: string;
  street_title: string;
  cards: string[];
  board: string[];
  before: string[];
  wagers: [string, string][];
  play: string;
  best: string;
  is_best: boolean;
  cost: Sum;
  why: string;
  plays: PlayValue[];
  tried: string[];
  first: string;
  first_cost: Sum;
  advised: boolean;
  mistake: boolean;
  arranged: boolean;
}

export interface Score {
  decisions: number;
  best: number;
  mistakes: number;
  accuracy_text: string | null;
  cost: Sum;
  sentence?: string;
}

export interface LookedBack {
  player: string;
  /** Of what passes the filters, and of everything. */
  summary: Score;
  all: Score;
  first_choice: Score;
  unaided: Score;
  luck: { rounds: number; expected: Sum; cost: Sum; luck: Sum; net: Sum; sentence: string | null };
  total: number;
  decisions: Decision[];
}

export interface Spot {
  round: string;
  stage: number;
  seat: number;
  street_title: string;
  cards: string[];
  board: string[];
  before: string[];
  wagers: [string, string][];
}

export interface Filters {
  sheet: string;
  street: string;
  mistakes: boolean;
  min_cost: string;
  advised: "" | "true" | "false";
  arranged: "" | "true" | "false";
}

export const NO_FILTERS: Filters = {
  sheet: "",
  street: "",
  mistakes: false,
  min_cost: "",
  advised: "",
  arranged: "",
};

/** Whether anything is left out. */
export const isFiltered = (filters: Filters): boolean => query(filters) !== "";

/** The query of some filters; what is not asked for is left out. */
export function query(filters: Filters, more: Record<string, string> = {}): string {
  const asked = Object.entries({ ...filters, ...more })
    .filter(([, value]) => value !== "" && value !== false)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(asked).toString();
}
