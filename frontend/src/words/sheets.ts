/** Display names of sheets: game and venue. */

import type { SheetSummary } from "../api/types";

type SheetTitles = Pick<SheetSummary, "title" | "venue">;

/** True if the title already contains the venue's name. */
export const titleHasVenue = ({ title, venue }: SheetTitles): boolean => title.startsWith(venue);

/** "Mississippi Stud, Oceanfront Gaming"; "Louisiana Stud" once. */
export const sheetName = (sheet: SheetTitles): string =>
  titleHasVenue(sheet) ? sheet.title : `${sheet.title}, ${sheet.venue}`;
