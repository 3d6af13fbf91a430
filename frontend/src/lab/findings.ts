/** What the checks say, sorted: beside a field that is shown, or in the list below. */

import type { Tried } from "../api/types";

/** Findings that no field on the page could show beside itself. */
export function elsewhere(told: Tried): Tried["findings"] {
  const fields = new Set([
    "ante",
    ...told.caps.map((cap) => cap.field),
    ...told.tables.flatMap((table) => table.lines.map((line) => line.field)),
  ]);
  return told.findings.filter((one) => one.level === "notice" || !fields.has(one.field));
}
