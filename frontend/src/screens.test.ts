import { expect, test } from "vitest";

import { screenOf } from "./screens";

test.each([
  ["/", { at: "lobby" }],
  ["/table/stud-1", { at: "table", table: "stud-1" }],
  ["/table/stud-1/rounds", { at: "history", table: "stud-1" }],
  ["/table/stud-1/rounds/stud-1-000004", { at: "round", table: "stud-1", round: "stud-1-000004" }],
  ["/table/stud-1/rules", { at: "table-rules", table: "stud-1" }],
  ["/rounds", { at: "history", table: null }],
  ["/rules/catfish-bend/mississippi-stud", { at: "rules", sheet: "catfish-bend/mississippi-stud" }],
  ["/clause/CMS-12", { at: "clause", clause: "CMS-12" }],
  ["/shared/a.b", { at: "shared", token: "a.b" }],
  ["/coach", { at: "coach" }],
  ["/lab", { at: "lab", sheet: null }],
  ["/lab/catfish-bend/mississippi-stud", { at: "lab", sheet: "catfish-bend/mississippi-stud" }],
  ["/lab/catfish-bend", { at: "nowhere" }],
  ["/pit", { at: "pit", part: "tables" }],
  ["/pit/events", { at: "pit", part: "events" }],
  ["/night", { at: "nights" }],
  ["/night/gala", { at: "night", event: "gala", part: "tournaments", own: null }],
  ["/night/gala/cage", { at: "night", event: "gala", part: "cage", own: null }],
  ["/night/gala/tournaments/t1", { at: "night", event: "gala", part: "tournaments", own: "t1" }],
  ["/board/gala/t1", { at: "board", event: "gala", own: "t1" }],
  ["/board/gala", { at: "nowhere" }],
  ["/check-in/a.b", { at: "check-in", token: "a.b" }],
  ["/check-in", { at: "nowhere" }],
  ["/sign-in", { at: "sign-in" }],
  ["/account", { at: "account" }],
  ["/table", { at: "nowhere" }],
  ["/table/stud-1/else", { at: "nowhere" }],
  ["/rules/catfish-bend", { at: "nowhere" }],
  ["/%E0%A4%A", { at: "nowhere" }],
  ["/pit/nonsense", { at: "nowhere" }],
  ["/night/gala/nonsense", { at: "nowhere" }],
  ["/rules/catfish-bend/mississippi-stud/more", { at: "nowhere" }],
  ["/table/stud-1/rounds/stud-1-000004/more", { at: "nowhere" }],
  ["/coach/more", { at: "nowhere" }],
  ["/constructor", { at: "nowhere" }],
])("%s", (path, screen) => {
  expect(screenOf(path)).toEqual(screen);
});
