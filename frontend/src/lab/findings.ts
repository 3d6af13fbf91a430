/** Sorts findings: those shown beside a field, and those in the list below. */

import type { LabResult } from "../api/types";

/** Findings that have no field on the page. */
export function otherFindings(result: LabResult): LabResult["findings"] {
  const fields = new Set([
    "ante",
    ...result.caps.map((cap) => cap.field),
    ...result.tables.flatMap((table) => table.lines.map((line) => line.field)),
  ]);
  return result.findings.filter(
    (finding) => finding.level === "notice" || !fields.has(finding.field),
  );
}
