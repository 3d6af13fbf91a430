import { expect, test } from "vitest";
import { assumptionOfColumn } from "./assumptions";

const wager = (title: string, ours: string) => ({
  title,
  ours,
  pays_ours: "",
  min: "5.00",
  max: "100.00",
  required: true,
});
const text = (ours: string[]) =>
  assumptionOfColumn(
    ours.map((mark, n) => wager(`W${n}`, mark)),
    (stake) => stake.ours,
  );

test("a single assumed row keeps its own dagger", () => {
  expect(text(["", ""])).toBe("");
  expect(text(["assumed", ""])).toBe("");
});

test("several assumed rows share the dagger of their column", () => {
  expect(text(["assumed", "assumed"])).toBe("assumed");
  expect(text(["assumed", "", "in part"])).toBe("W0: assumed\nW2: in part");
});
