/** What a sheet is called: the game, and where it is dealt. */

interface Named {
  title: string;
  venue: string;
}

/** Whether the game bears the venue's name, so that saying both would say it twice. */
export const namesVenue = ({ title, venue }: Named): boolean => title.startsWith(venue);

/** "Mississippi Stud, Oceanfront Gaming"; "Louisiana Stud" once. */
export const calledAt = (sheet: Named): string =>
  namesVenue(sheet) ? sheet.title : `${sheet.title}, ${sheet.venue}`;
