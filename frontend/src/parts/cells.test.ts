/** Lists that are saved and searched: no cell is worked out by a spreadsheet. */

import { expect, test } from "vitest";

import { csv, has } from "./cells";

test("a list is a file that no spreadsheet works out", () => {
  const rows = [
    ["who", "off"],
    ['ann "a", b', "-5.00"],
    ["=1+1", null],
    ["-x\n", 3],
    [' "@A1', "\t1"],
    ["-5%", "+1.5"],
  ];
  expect(csv(rows)).toBe('who,off\r\n"ann ""a"", b",-5.00\r\n\'=1+1,\r\n"\'-x\n",3\r\n"\' ""@A1",\'\t1\r\n-5%,+1.5\r\n');
});

test("a text is found however it is written", () => {
  expect(has(" ANN ", ["bob", "Joanne"])).toBe(true);
  expect(has("zoe", ["bob", null, 3])).toBe(false);
  expect(has("", [])).toBe(true);
});
