/** A list as a file for a spreadsheet, and what of it has a text that somebody looks for. */

const FORMULA = /^[=+\-@\t\r]/; // So a spreadsheet knows what it should work out; a minus is one.
const AMOUNT = /^-?[0-9]+(\.[0-9]+)?$/;

/** Lines of cells; what a spreadsheet would take for a formula is marked as text. */
export const csv = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value as string);
  const safe = FORMULA.test(text) && !AMOUNT.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether one of some values has a text, however it is written. */
export function has(text: string, values: readonly unknown[]): boolean {
  const wanted = text.trim().toLowerCase();
  return (
    wanted === "" ||
    values.some((one) =>
      String(one ?? "")
        .toLowerCase()
        .includes(wanted),
    )
  );
}

/** Hand a file to whoever sits here. */
export function saved(name: string, rows: readonly (readonly unknown[])[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", csv(rows)], { type: "text/csv" }));
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
