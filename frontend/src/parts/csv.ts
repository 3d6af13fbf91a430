/** CSV export and search of lists. */

// Same rules as src/pitbook/csv_files.py.
const FORMULA = /^(?:[\t\r\n]|[\s"']*[=+\-@＝＋－＠])/;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+|%)?$/;

/** Rows as CSV. A cell that a spreadsheet would run as a formula gets an apostrophe. */
export const csv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value as string);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** True if one of the values contains the text, ignoring case. */
export function matchesSearch(text: string, values: readonly unknown[]): boolean {
  const query = text.trim().toLowerCase();
  return (
    query === "" ||
    values.some((cell) =>
      String(cell ?? "")
        .toLowerCase()
        .includes(query),
    )
  );
}

/** Offer the rows as a download. */
export function saveCsv(name: string, rows: readonly (readonly unknown[])[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", csv(rows)], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
