/** The table told in full: whatever the felt shows, in the order in which a player asks for it. */

import type { Group, Seat, Sheet, View } from "../api/types";
import { boxOf, titleOf } from "../api/sheet";
import { headline, SO_FAR } from "../live/tell";
import {
  cardsAt,
  decideOffer,
  floorIsAsked,
  foldedTold,
  isAway,
  resultOf,
  wagerOffers,
} from "../live/view";
import { cardsSaid, listed } from "../words/cards";
import { capital, isNone, signed, spoken } from "../words/money";
import { calledAt } from "../words/sheets";

export interface Part {
  heading: string;
  lines: string[];
}

const PHASES: Record<View["phase"], string> = {
  open: "Bets are open.",
  wagers: "Bets are open.",
  deal: "The dealer deals.",
  play: "Decisions are due.",
  settle: "The dealer settles.",
  over: "The round is over; its result stays until the next bet.",
  agreement: "The hand was interrupted; its players are asked whether to finish it.",
  retired: "The table is closed for good.",
};

export function tableTold(view: View, sheet: Sheet, mine: readonly Seat[], shown: boolean): Part[] {
  const others = view.seats.filter((seat) => !mine.some((own) => own.seat === seat.seat));
  return [
    {
      heading: calledAt({ title: sheet.title, venue: sheet.house.venue }),
      lines: standing(view, mine),
    },
    ...sheet.felt.groups.map((group) => ({
      heading: group.title,
      lines: cardsInCommon(view, group, shown),
    })),
    ...mine.map((seat) => ({
      heading: mine.length > 1 ? `Your spot ${seat.seat}` : `You, seat ${seat.seat}`,
      lines: [
        ...seatTold(seat, sheet),
        ...mayTold(view, sheet, seat),
        ...(shown ? settled(view, seat) : []),
      ],
    })),
    {
      heading: "The other seats",
      lines: others.flatMap((seat) => otherTold(view, sheet, seat, shown)),
    },
  ];
}

function standing(view: View, mine: readonly Seat[]): string[] {
  const waiting = view.seats.filter((seat) => seat.waiting);
  const names = waiting.map((seat) =>
    mine.some((own) => own.seat === seat.seat) ? "you" : (seat.player ?? `seat ${seat.seat}`),
  );
  return [
    floorIsAsked(view)
      ? "The table was stopped; the floor says whether the hand goes on."
      : PHASES[view.phase],
    ...(names.length ? [`Waiting for ${listed(names)}.`] : []),
    ...(view.arranged ? ["The cards were arranged for practice; they are not random."] : []),
    ...(view.interruption ? [`The hand was interrupted: ${view.interruption.why}.`] : []),
    ...(view.wallet === undefined ? [] : [`Your balance is ${spoken(view.wallet)}.`]),
    ...(view.short ? [view.short.message] : []),
    ...(view.presence?.watching ? [`Watching: ${view.presence.watching}.`] : []),
    ...(view.shoe ? [`Shoe ${view.shoe.id}, ${view.shoe.kind}.`] : []),
  ];
}

function cardsInCommon(view: View, { place, areas }: Group, shown: boolean): string[] {
  const cards = cardsAt(view, place);
  if (cards.length === 0) return ["No cards yet."];
  const order = shown && areas.length ? view.board.arranged : null;
  if (!order) return [`${cardsSaid(cards)}.`];
  return order.areas.map((area) => {
    const counts = area.points === null ? "" : `, ${area.points} points`;
    return `${area.title}: ${cardsSaid(area.cards)}${counts}.`;
  });
}

function seatTold(seat: Seat, sheet: Sheet): string[] {
  const wagers = (seat.wagers ?? []).map(
    ([wager, amount]) => `${titleOf(sheet, wager)}: ${spoken(amount)}.`,
  );
  const lines = [...cardsTold(seat), ...wagers, ...playsTold(seat, sheet)];
  if (seat.void) lines.push(`The hand is void: ${seat.void}.`);
  return lines.length ? lines : ["Nothing lies here."];
}

function cardsTold({ cards = [], points }: Seat): string[] {
  if (cards.length === 0) return [];
  const counts = points ? ` They count ${points.low} low and ${points.high} high.` : "";
  return [`Cards: ${cardsSaid(cards)}.${counts}`];
}

function playsTold(seat: Seat, sheet: Sheet): string[] {
  const { plays = [], folded, tucked } = seat;
  if (plays.length === 0) return [];
  const lines = [`Played: ${listed(plays)}.`];
  if (folded)
    lines.push(
      foldedTold(seat) + (tucked ? `; the cards lie under the ${titleOf(sheet, tucked)}.` : "."),
    );
  const box = boxOf(sheet, seat.said);
  return box ? [...lines, `The hand is laid ${box.laid}.`] : lines;
}

function mayTold(view: View, sheet: Sheet, seat: Seat): string[] {
  if (seat.waiting) {
    const { stage_title = "", choices = [] } = decideOffer(view, seat.seat) ?? {};
    const said = choices.map((one) => {
      const price = isNone(one.cost) ? "" : ` for ${spoken(one.cost)}`;
      return one.refused
        ? `${one.title} is refused: ${one.refused.message}`
        : `${one.title}${price}`;
    });
    return [`${capital(stage_title)}, you may: ${said.join("; ")}.`];
  }
  return wagerOffers(view, seat.seat).map((one) =>
    one.refused
      ? `${titleOf(sheet, one.wager)}: ${one.refused.message}.`
      : `${titleOf(sheet, one.wager)} may be ${spoken(one.min)} to ${spoken(one.max)}${limitsOurs(sheet, one.wager)}.`,
  );
}

function settled(view: View, seat: Seat): string[] {
  const found = resultOf(view, seat);
  if (!found) return [];
  const whole = view.result !== null || (seat.net ?? null) !== null;
  return [
    ...found.told.map((line) => line.text),
    ...(whole ? [`${headline(view.result ?? SO_FAR, found)}.`] : []),
  ];
}

function otherTold(view: View, sheet: Sheet, seat: Seat, shown: boolean): string[] {
  const who = seat.player ?? seat.played_by;
  if (!who) return [`Seat ${seat.seat} is empty.`];
  const won = shown && seat.net ? [`Result ${signed(seat.net)}.`] : [];
  const lies = seat.wagers ? seatTold(seat, sheet) : [];
  return [
    `Seat ${seat.seat}, ${who}${isAway(view, seat) ? ", away" : ""}${view.ready?.includes(seat.seat) ? ", ready" : ""}. ${[...lies, ...won].join(" ")}`,
  ];
}

function limitsOurs(sheet: Sheet | null, wager: string): string {
  const word = sheet?.limits_ours[wager];
  return word ? ` (${word})` : "";
}
