/** A rule sheet as the house tells it: what the page prints on the felt and in the rules. */

import { get } from "./ask";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Felt = Schemas["Felt"];
export type Group = Schemas["Group"];
export type Printed = Schemas["Circle"];
export type Box = Schemas["Box"];
export type PayTable = Schemas["TablePrinted"];
export type Saying = Schemas["Said"];

export interface Stake {
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

/** What the sheets of every family have; a family's own fields are the house's to read. */
export interface Sheet {
  id: string;
  title: string;
  family: string;
  hash: string;
  effective: string | null;
  source: { document: string; dated: string | null; note?: string | null };
  house: { venue: string; jurisdiction: string; chips: { values: string[] } };
  seats: { count: number; per_player: { is: number } };
  main: { pays: Record<string, string>; clause: string };
  side: Record<string, Side>;
  deck: { decks: number; cut_card: number | null };
  deal: { order: string[]; direction: string; at_a_time: number | null };
  pay_tables: PayTable[];
  /** By wager: said where its limits are our choice; empty where they are not. */
  limits_ours: Record<string, string>;
  aloud: Saying[];
  felt: Felt;
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

/** The wager without which nobody is dealt in: its circle is the first. */
export const mainWager = ({ felt }: Sheet): string => felt.circles[0]?.wager ?? "";

/** What a wager is called on the layout. */
export const titleOf = (sheet: Sheet | null, wager: string): string =>
  sheet?.felt.circles.find((one) => one.wager === wager)?.title ?? wager;

/** The box that a hand is laid in by what it said, if it said anything. */
export const boxOf = (sheet: Sheet, said: string | null | undefined): Box | undefined =>
  sheet.felt.boxes.find((one) => one.says === said);
