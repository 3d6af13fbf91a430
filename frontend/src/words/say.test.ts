/** Messages: placeholders, choices and lists, by language. */

import { afterEach, expect, test } from "vitest";

import { Catalog } from "./catalog";
import en from "./en";
import es from "./es";
import { preferredLanguage } from "./languages";
import { exactMoney, moneyName, formatMoney as money } from "./money";
import { setCurrency, say, setLanguage, currentLanguage } from "./say.svelte";
import { parseTemplate } from "./templates";

const catalog = (text: string, files = en) =>
  new Catalog({ "./format.json": files["./format.json"] ?? {}, "./x.json": { y: text } });
const fillText = (text: string, given = {}, files = en) => catalog(text, files).text("x.y", given);

afterEach(() => setLanguage("en"));

test("blanks are filled in with names, money, cards and numbers", () => {
  expect(fillText("seat {seat} bets {amount, money}", { seat: 3, amount: "1234.50" })).toBe(
    "seat 3 bets $1,234.50",
  );
  expect(fillText("{n, number} of {all, count}", { n: 3, all: 12345 })).toBe("three of 12,345");
  expect(fillText("{one, symbol}, the {one, card}", { one: "Tc" })).toBe("10♣, the ten of clubs");
  expect(fillText("{one, card}", { one: "Tc" }, es)).toBe("diez de tréboles");
  expect(fillText("{a, quoted} {b, capital}", { a: "x", b: "ante" })).toBe('"x" Ante');
});

test.each([
  [0, "no card"],
  [1, "one card"],
  [2, "2 cards"],
])("%i cards are %s", (cards, text) => {
  expect(
    fillText("{cards, plural, =0 {no card} one {one card} other {{cards} cards}}", { cards }),
  ).toBe(text);
});

test("a value chooses among texts, and what is unknown is other", () => {
  const text = "{result, select, win {wins {amount, money}} push {pushes} other {loses}}";
  const amount = "5.00";
  expect(
    ["win", "push", "constructor", true].map((result) => fillText(text, { result, amount })),
  ).toEqual(["wins $5", "pushes", "loses", "loses"]);
});

test("lists are joined as the language joins them", () => {
  const list = { of: ["oros", "bastos", "hielo"] };
  expect(fillText("{of, and}; {of, or}; {of, comma}; {of, spaced}; {of, either}", list)).toBe(
    "oros, bastos and hielo; oros, bastos or hielo; oros, bastos, hielo; oros bastos hielo; oros or bastos or hielo",
  );
  expect(fillText("{of, and}", list, es)).toBe("oros, bastos e hielo");
  expect(fillText("{of, or}", { of: ["bastos", "oros"] }, es)).toBe("bastos u oros");
  expect([fillText("{of, and}", { of: [] }), fillText("{of, and}", { of: ["a"] })]).toEqual([
    "",
    "a",
  ]);
  expect(fillText("{of, or, money}", { of: ["1.00", "2.50"] })).toBe("$1 or $2.50");
});

test("what somebody is called opens no blank and no tag", () => {
  const name = "{amount, money}<b>it's</b>";
  expect(fillText("{name} bets", { name })).toBe(`${name} bets`);
  expect(catalog("<who>{name}</who> bets").pieces("x.y", { name })).toEqual([
    { tag: "who", text: name },
    { tag: null, text: " bets" },
  ]);
});

test.each(["{", "}", "{a b}", "{a, select, x {y}}", "{a, plural, other {x}", "{A}"])(
  "%s makes no sense",
  (text) => {
    expect(() => parseTemplate(text)).toThrow();
  },
);

test("a language is read once a currency, however often the money changes", () => {
  const validateMoney = catalog("{a, money}");
  const euros = validateMoney.in("EUR");
  expect(euros.in("USD")).toBe(validateMoney);
  expect(euros.in("GBP")).toBe(validateMoney.in("GBP"));
  expect(euros.in("EUR").text("x.y", { a: "5.00" })).toBe("€5");
});

test("the page speaks English until another language is chosen", async () => {
  expect([currentLanguage(), say("settings.language")]).toEqual(["en", "Language"]);
  await setLanguage("es");
  expect([currentLanguage(), say("settings.language")]).toEqual(["es", "Idioma"]);
});

test("money is of the sheet's currency, whatever the language", async () => {
  expect(money("5.00")).toBe("$5");
  setCurrency("EUR");
  expect([money("-1234.50"), say("words.you-have-left", { left: "5.00", needed: "6.00" })]).toEqual(
    ["−\u2060€1,234.50", "You have €5 and need €6. Bet less or get more chips."],
  );
  await setLanguage("es");
  expect([money("5.00"), money("5.00", "MXN"), money("5.00", "XYZ"), exactMoney("1/3")]).toEqual([
    "€5",
    "MX$5",
    "XYZ 5",
    "€1/3",
  ]);
  expect([exactMoney("-1/3"), exactMoney("-1/3", "GBP"), exactMoney("5", "CHIPS")]).toEqual([
    "−\u2060€1/3",
    "−\u2060£1/3",
    "5",
  ]);
  expect([moneyName(), moneyName("GBP"), moneyName("XYZ")]).toEqual(["euros", "libras", "XYZ"]);
  setCurrency(null);
  expect([money("5.00"), moneyName()]).toEqual(["$5", "dólares"]);
});

test("the browser's own language counts where it is Spanish and nobody has chosen", () => {
  expect(preferredLanguage("auto", ["es-MX", "en"])).toBe("es");
  expect(preferredLanguage(undefined, ["de", "ES"])).toBe("es");
  expect(preferredLanguage("en", ["es"])).toBe("en");
  expect(preferredLanguage("es", ["en-GB"])).toBe("es");
  expect(preferredLanguage("auto", ["en-GB", "es"])).toBe("en");
  for (const odd of ["constructor", null, 3, "fr"])
    expect(preferredLanguage(odd, ["de", "est"])).toBe("en");
});
