/** A rule sheet as the house tells it: what the page prints on the felt and in the rules. */

import { get } from "./ask";

export interface Stake {
  title?: string;
  min: string;
  max: string;
  step: string;
  required?: boolean;
  clause: string;
}

export interface Side {
  title: string;
  looks_at: string;
  pays: Record<string, string>;
  stake: Stake;
  clause: string;
}

export interface Street {
  id: string;
  title: string;
  bets: number[];
  clause: string;
}

export interface PayTable {
  wager: string;
  title: string;
  about: string;
  clause: string;
  /** "our choice", "in part our choice", or nothing where it is the document's. */
  ours: string;
  /** The same with the lines named, where it is ours in part. */
  whose: string;
  note: string | null;
  lines: { outcome: string; title: string; odds: string; says: string; ours: string }[];
}

export interface Saying {
  heading: string;
  label: string | null;
  words: string;
  clauses: string[];
  notes: string[];
  ours: string;
}

export interface Sheet {
  id: string;
  title: string;
  family: "street-stud" | "hi-lo";
  hash: string;
  effective: string | null;
  source: { document: string; dated: string | null; note?: string | null };
  house: { venue: string; jurisdiction: string; chips: { values: string[] } };
  seats: { count: number; per_player: { is: number } };
  main: { pays: Record<string, string>; clause: string };
  side: Record<string, Side>;
  ante?: Stake;
  bet?: Stake;
  streets?: Street[];
  declare?: { low: string; high: string };
  deck: { decks: number; cut_card: number | null };
  deal: {
    order: string[];
    direction: string;
    at_a_time: number | null;
    hole?: { is: number };
    player?: number;
    dealer?: number;
  };
  dealer?: { areas: { low: string; shared: string; high: string } };
  pay_tables: PayTable[];
  /** By wager: said where its limits are our choice; empty where they are not. */
  limits_ours: Record<string, string>;
  aloud: Saying[];
}

const known: Record<string, Promise<Sheet>> = {};

/** The sheet in force at a table; asked for once for each hash. */
export function sheetOf(table: string, hash: string): Promise<Sheet> {
  known[hash] ??= get<Sheet>(`/api/tables/${encodeURIComponent(table)}/sheet`).catch(
    (error: unknown) => {
      Reflect.deleteProperty(known, hash); // Another time it may be there.
      throw error;
    },
  );
  return known[hash];
}

export const mainWager = (sheet: Sheet): "ante" | "bet" => (sheet.ante ? "ante" : "bet");

/** What a wager is called on the layout. */
export function titleOf(sheet: Sheet | null, wager: string): string {
  if (sheet === null) return wager;
  const stake = wager === "ante" ? sheet.ante : wager === "bet" ? sheet.bet : undefined;
  const found =
    stake?.title ??
    sheet.side[wager]?.title ??
    sheet.streets?.find((street) => street.id === wager)?.title;
  return found ?? wager.charAt(0).toUpperCase() + wager.slice(1);
}
