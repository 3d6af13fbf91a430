/** What a sheet is called: the game, and where it is dealt. */

import type { SheetNamed } from "../api/types";

type SheetTitles = Pick<SheetNamed, "title" | "venue">;

/** Whether the game bears the venue's name, so that saying both would say it twice. */
export const namesVenue = ({ title, venue }: SheetTitles): boolean => title.startsWith(venue);

/** "Mississippi Stud, Oceanfront Gaming"; "Louisiana Stud" once. */
export const calledAt = (sheet: SheetTitles): string =>
  namesVenue(sheet) ? sheet.title : `${sheet.title}, ${sheet.venue}`;
