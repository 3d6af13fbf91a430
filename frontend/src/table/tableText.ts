/** The whole table as text, in the order a player asks for it. */

import type { Group, Seat, Sheet, View } from "../api/types";
import { boxOf, titleOf } from "../api/sheet";
import { headline, SETTLED_EARLY } from "../live/sentences";
import {
  cardsAt,
  decideOffer,
  waitsForFloor,
  foldedText,
  isAway,
  resultOf,
  wagerOffers,
} from "../live/view";
import { DAGGER } from "../parts/clauses";
import { spokenCards } from "../words/cards";
import { isZero, formatSigned, formatMoney } from "../words/money";
import { say } from "../words/say.svelte";
import { sheetName } from "../words/sheets";

export interface TextPart {
  heading: string;
  lines: string[];
}

export function tableText(
  view: View,
  sheet: Sheet,
  mySeats: readonly Seat[],
  faceUp: boolean,
): TextPart[] {
  const others = view.seats.filter((seat) => !mySeats.some((mySeat) => mySeat.seat === seat.seat));
  return [
    {
      heading: sheetName({ title: sheet.title, venue: sheet.house.venue }),
      lines: statusLines(view, mySeats),
    },
    ...sheet.felt.groups.map((group) => ({
      heading: group.title,
      lines: cardsInCommon(view, group, faceUp),
    })),
    ...mySeats.map((seat) => ({
      heading: say(mySeats.length > 1 ? "table.text.your-spot" : "table.text.you", {
        seat: seat.seat,
      }),
      lines: [
        ...seatText(seat, sheet),
        ...optionsText(view, sheet, seat),
        ...(faceUp ? settlementLines(view, seat) : []),
      ],
    })),
    {
      heading: say("table.text.others"),
      lines: others.flatMap((seat) => otherText(view, sheet, seat, faceUp)),
    },
  ];
}

function statusLines(view: View, mySeats: readonly Seat[]): string[] {
  const waiting = view.seats.filter((seat) => seat.waiting);
  const names = waiting.map((seat) =>
    mySeats.some((mySeat) => mySeat.seat === seat.seat)
      ? say("table.text.you-waiting")
      : (seat.player ?? say("table.text.seat-waiting", { seat: seat.seat })),
  );
  return [
    waitsForFloor(view)
      ? say("table.text.stopped")
      : say("table.text.phase", { phase: view.phase }),
    ...(names.length ? [say("table.text.waiting", { names })] : []),
    ...(view.arranged ? [say("table.text.arranged")] : []),
    ...(view.interruption ? [say("table.text.interrupted", { why: view.interruption.why })] : []),
    ...(view.wallet === undefined ? [] : [say("table.text.balance", { left: view.wallet })]),
    ...(view.short ? [view.short.message] : []),
    ...(view.presence?.watching
      ? [say("table.text.watching", { count: view.presence.watching })]
      : []),
    ...(view.shoe ? [say("table.text.shoe", { shoe: view.shoe.id, kind: view.shoe.kind })] : []),
  ];
}

function cardsInCommon(view: View, { place, areas }: Group, faceUp: boolean): string[] {
  const cards = cardsAt(view, place);
  if (cards.length === 0) return [say("table.text.no-cards")];
  const order = faceUp && areas.length ? view.board.arranged : null;
  if (!order) return [`${spokenCards(cards)}.`];
  return order.areas.map((area) => {
    const { title, points } = area;
    const fields = { title, cards: spokenCards(area.cards) };
    return points === null
      ? say("table.text.area", fields)
      : say("table.text.area-points", { ...fields, points });
  });
}

function seatText(seat: Seat, sheet: Sheet): string[] {
  const wagers = (seat.wagers ?? []).map(
    ([wager, amount]) => `${titleOf(sheet, wager)}: ${formatMoney(amount)}.`,
  );
  const lines = [...cardsText(seat), ...wagers, ...playsText(seat, sheet)];
  if (seat.void) lines.push(say("table.text.void", { why: seat.void }));
  return lines.length ? lines : [say("table.text.nothing")];
}

function cardsText({ cards = [], points }: Seat): string[] {
  if (cards.length === 0) return [];
  const counts = points ? say("table.text.counts", points) : "";
  return [say("table.text.cards", { cards: spokenCards(cards) }) + counts];
}

function playsText(seat: Seat, sheet: Sheet): string[] {
  const { plays = [], folded, tucked } = seat;
  if (plays.length === 0) return [];
  const lines = [say("table.text.played", { plays })];
  if (folded)
    lines.push(
      tucked
        ? say("table.text.folded-under", {
            folded: foldedText(seat),
            wager: titleOf(sheet, tucked),
          })
        : `${foldedText(seat)}.`,
    );
  const box = boxOf(sheet, seat.said);
  return box ? [...lines, say("table.text.laid", { laid: box.laid })] : lines;
}

function optionsText(view: View, sheet: Sheet, seat: Seat): string[] {
  if (seat.waiting) {
    const { stage_title = "", choices = [] } = decideOffer(view, seat.seat) ?? {};
    const sentences = choices.map((choice) => {
      const play = choice.title;
      if (choice.refused) return say("table.text.refused", { play, why: choice.refused.message });
      return isZero(choice.cost) ? play : say("table.text.for", { play, cost: choice.cost });
    });
    return [say("table.text.may", { stage: stage_title, plays: sentences.join("; ") })];
  }
  return wagerOffers(view, seat.seat).map((offer) =>
    offer.refused
      ? `${titleOf(sheet, offer.wager)}: ${offer.refused.message}.`
      : say("table.text.limits", {
          wager: titleOf(sheet, offer.wager),
          least: offer.min,
          most: offer.max,
          ours: limitsOurs(sheet, offer.wager),
        }),
  );
}

function settlementLines(view: View, seat: Seat): string[] {
  const result = resultOf(view, seat);
  if (!result) return [];
  const isSettled = view.result !== null || (seat.net ?? null) !== null;
  return [
    ...result.told.map((line) => line.text),
    ...(isSettled ? [`${headline(view.result ?? SETTLED_EARLY, result)}.`] : []),
  ];
}

function otherText(view: View, sheet: Sheet, seat: Seat, faceUp: boolean): string[] {
  const playerName = seat.player ?? seat.played_by;
  if (!playerName) return [say("table.text.empty", { seat: seat.seat })];
  const netTexts =
    faceUp && seat.net ? [say("table.text.result", { net: formatSigned(seat.net) })] : [];
  const wagerTexts = seat.wagers ? seatText(seat, sheet) : [];
  return [
    say("table.text.other", {
      seat: seat.seat,
      who: playerName,
      away: isAway(view, seat),
      ready: view.ready?.includes(seat.seat) ?? false,
      told: [...wagerTexts, ...netTexts].join(" "),
    }),
  ];
}

function limitsOurs(sheet: Sheet | null, wager: string): string {
  return sheet?.limits_ours[wager] ? DAGGER : "";
}
