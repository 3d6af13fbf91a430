/** The lab asks while the user types and shows the newest answer, whichever arrives last. */

import type { LabLine, LabPayTable, LabResult } from "../api/types";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { RequestError } from "../api/requests";
import { sheetLabel, defaultComparison, formatPoints } from "./comparison";
import { otherFindings } from "./findings";
import { Lab, type TrialRequest } from "./lab.svelte";

const flush: LabLine = {
  line: "flush",
  title: "Flush",
  field: "main.pays.flush",
  printed: "6:1",
  now: "6:1",
  rate: "1 in 508",
  ours: "",
};
const main: LabPayTable = {
  wager: "main",
  title: "Ante and street bets",
  about: "on the player's five-card hand",
  clause: "CMS-9",
  note: null,
  ours: "",
  field: "main.pays",
  lines: [flush],
  more: [{ line: "pair", title: "Pair" }],
  figures: [],
  exact: "1/2",
};

function answer(sheetName: string, more: Partial<LabResult> = {}): LabResult {
  return {
    sheet: "a/b",
    title: "Stud",
    venue: "House",
    valid: true,
    said: sheetName,
    assumed: "",
    main: { title: "Ante", bounds: "$5 to $500", ours: "" },
    tables: [main],
    caps: [
      {
        field: "limits[0].pays_max",
        label: "Each round",
        about: "",
        printed: "25000",
        clauses: [],
        ours: "",
      },
    ],
    ladder: ["", "push", "1:1", "6:1", "7:1"],
    findings: [],
    differences: [],
    ...more,
  };
}

/** A server that answers when the test says so. */
function slow() {
  const requests: {
    trialRequest: TrialRequest;
    answer: (tried: LabResult) => void;
    refuse: (why: Error) => void;
  }[] = [];
  const send = (trialRequest: TrialRequest) =>
    new Promise<LabResult>((resolve, reject) =>
      requests.push({ trialRequest, answer: resolve, refuse: reject }),
    );
  return { asked: requests, lab: new Lab("a/b", send) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an older answer never overwrites a newer one", async () => {
  const { asked: requests, lab } = slow();
  lab.setPay(main, flush, "7:1");
  await vi.advanceTimersByTimeAsync(1_000);
  lab.setPay(main, flush, "8:1");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests.map((request) => request.trialRequest.pays)).toEqual([
    { main: { flush: "7:1" } },
    { main: { flush: "8:1" } },
  ]);
  requests[1]?.answer(answer("newer"));
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.answer(answer("older"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.latest?.said, lab.waiting]).toEqual(["newer", false]);
});

test("an older refusal is not told either", async () => {
  const { asked: requests, lab } = slow();
  lab.compute();
  await vi.advanceTimersByTimeAsync(1_000);
  lab.compute();
  await vi.advanceTimersByTimeAsync(1_000);
  requests[0]?.refuse(new RequestError(400, "older"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.errorText, lab.waiting]).toEqual(["", true]);
  requests[1]?.refuse(new RequestError(400, "newer"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.errorText, lab.waiting]).toEqual(["Newer.", false]);
});

test("who types fast is asked about once", async () => {
  const { asked: requests, lab } = slow();
  for (const text of ["7", "7:", "7:1"]) lab.setPay(main, flush, text);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests.map((request) => request.trialRequest.pays)).toEqual([
    { main: { flush: "7:1" } },
  ]);
});

test("a house that is busy is asked again", async () => {
  const { asked: requests, lab } = slow();
  lab.compute();
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.refuse(new RequestError(429, "many sums are being worked out"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.errorText, lab.waiting]).toEqual(["Many sums are being worked out.", true]);
  await vi.advanceTimersByTimeAsync(5_000);
  requests[1]?.answer(answer("now"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.latest?.said, lab.errorText]).toEqual(["now", ""]);
});

test("who left is told nothing more", async () => {
  const { asked: requests, lab } = slow();
  lab.compute();
  lab.leave();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests).toEqual([]);
});

test("steps go along the house's ladder and end where it ends", async () => {
  const { asked: requests, lab } = slow();
  lab.compute();
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.answer(answer("first"));
  await vi.advanceTimersByTimeAsync(0);
  expect([lab.step(main, flush, -1), lab.step(main, flush, 1)]).toEqual(["1:1", "7:1"]);
  lab.setPay(main, flush, "7:1");
  expect(lab.step(main, flush, 1)).toBeUndefined();
  lab.setPay(main, flush, "");
  expect([lab.step(main, flush, -1), lab.step(main, flush, 1)]).toEqual([undefined, "push"]);
  lab.setPay(main, flush, "6 to 1");
  expect(lab.step(main, flush, 1)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  requests[1]?.answer(answer("read"));
  await vi.advanceTimersByTimeAsync(0);
  expect(lab.step(main, flush, 1)).toBe("7:1");
});

test("what is written as printed is no wish, and a line of one's own is one", async () => {
  const { asked: requests, lab } = slow();
  lab.compute();
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.answer(answer("first"));
  await vi.advanceTimersByTimeAsync(0);
  lab.setPay(main, flush, "7:1");
  lab.setPay(main, flush, "6:1");
  lab.setCap("limits[0].pays_max", "25000", "30000");
  expect([lab.trialRequest.pays, lab.trialRequest.caps, lab.changed]).toEqual([
    { main: {} },
    ["30000"],
    true,
  ]);
  lab.setCap("limits[0].pays_max", "25000", "25000");
  expect([lab.trialRequest.caps, lab.trialRequest.ante, lab.changed]).toEqual([
    [null],
    null,
    false,
  ]);
  lab.add(main, "pair");
  expect([lab.trialRequest.pays, lab.changed]).toEqual([{ main: { pair: "" } }, true]);
  lab.setAnte("10");
  lab.asPrinted();
  expect([lab.trialRequest.pays, lab.trialRequest.ante, lab.changed]).toEqual([{}, null, false]);
});

test("a finding stands beside its field, or in the list", async () => {
  const { asked: requests, lab } = slow();
  const finding = (level: "error" | "notice", field: string) => ({
    level,
    field,
    message: `${field} is odd`,
    clause: null,
  });
  const findings = [
    finding("error", "main.pays.flush"),
    finding("error", "main.pays"),
    finding("notice", "limits[0].counts"),
  ];
  const tried = answer("", { findings });
  lab.compute();
  await vi.advanceTimersByTimeAsync(0);
  requests[0]?.answer(tried);
  await vi.advanceTimersByTimeAsync(0);
  expect(lab.findingFor("main.pays.flush")).toBe("Main.pays.flush is odd.");
  expect(lab.findingFor("limits[0].counts")).toBe("");
  expect(otherFindings(tried).map((finding) => finding.field)).toEqual([
    "main.pays",
    "limits[0].counts",
  ]);
});

test("a share of the edge in points", () => {
  expect([0.0123, -0.05, 0, -0.000001].map(formatPoints)).toEqual([
    "+1.230",
    "−5.000",
    "0.000",
    "0.000",
  ]);
});

test("sheets that share title and house are told apart, and a sheet finds its opposite", () => {
  const sheet = (id: string, family: string, venue: string, title = "Stud") => ({
    id,
    title,
    venue,
    family,
    main: "ante",
    effective: null,
    seats: 6,
    wagers: {},
    hash: id,
    disabled: null,
  });
  const all = [sheet("a/x", "s", "A"), sheet("b/h", "h", "B"), sheet("c/x", "s", "C")];
  const twins = [...all, sheet("c/y", "s", "C")];
  expect(all.map((sheet) => sheetLabel(sheet, all))).toEqual(["Stud, A", "Stud, B", "Stud, C"]);
  expect(twins.slice(2).map((sheet) => sheetLabel(sheet, twins))).toEqual([
    "Stud, C (c/x)",
    "Stud, C (c/y)",
  ]);
  const games = [sheet("a/x", "s", "A", "Poker"), sheet("b/h", "h", "B"), sheet("c/x", "s", "C")];
  expect(["a/x", "b/h", "c/x"].map((id) => defaultComparison(games, id))).toEqual([
    "c/x",
    "c/x",
    "b/h",
  ]);
  expect(defaultComparison([sheet("a/x", "s", "A")], "a/x")).toBe("a/x");
});

test("a refused line takes no figure away", async () => {
  const edge = {
    name: "edge",
    title: "House edge",
    printed: "4.915%",
    now: "5.1%",
    change: "+0.2",
  };
  const plainAmount = { ...main, figures: [{ ...edge, now: null, change: "" }], exact: null };
  const { asked: requests, lab } = slow();
  lab.compute();
  await vi.advanceTimersByTimeAsync(1);
  requests[0]?.answer(answer("good", { tables: [{ ...main, figures: [edge] }] }));
  await vi.advanceTimersByTimeAsync(1);
  expect(lab.showsOldFigures).toBe(false);
  lab.setPay(main, flush, "seven");
  await vi.advanceTimersByTimeAsync(1_000);
  requests[1]?.answer(answer("bad", { valid: false, tables: [plainAmount] }));
  await vi.advanceTimersByTimeAsync(1);
  expect(lab.showsOldFigures).toBe(true);
  expect(lab.figures(plainAmount).figures[0]?.now).toBe("5.1%");
  expect(lab.figures(plainAmount).exact).toBe("1/2");
  expect(lab.rate(plainAmount, { ...flush, rate: null })).toBe("1 in 508");
});

test("a link holds what was written, and nothing else is taken from one", () => {
  const sent: TrialRequest[] = [];
  const lab = new Lab("a/b", (trialRequest) => {
    sent.push(trialRequest);
    return new Promise(() => undefined);
  });
  lab.restore('{"pays":{"main":{"flush":"7:1","x":3}},"caps":{},"ante":"10"}');
  expect(lab.trialRequest.pays).toEqual({ main: { flush: "7:1" } });
  expect(lab.trialRequest.ante).toBe("10");
  const again = new Lab("a/b", () => new Promise(() => undefined));
  again.restore(lab.shared);
  expect(again.trialRequest).toEqual(lab.trialRequest);
  again.restore("no such thing");
  expect(again.changed).toBe(false);
});
