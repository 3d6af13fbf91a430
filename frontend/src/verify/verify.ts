/** A revealed round held against its shoe: is every card the one that the shoe deals there? */

import { commitment, dealt, type Shoe } from "./deal";

export type Place = number | "board";

interface Action {
  do: string;
  place?: Place;
  card?: string;
}

/** As the house gives it: GET .../rounds/{round}/proof. */
export interface Proof {
  format: 1;
  shoe: Omit<Shoe, "seed"> & { seed: string | null };
  drawn: number;
  round: { actions: Action[]; sheet: { hash: string } };
  /** Which round it is of. */
  round_id?: string;
}

export interface Difference {
  place: string;
  number: number;
  recorded: string;
  dealt: string;
}

export interface Verdict {
  kind: string;
  /** The seed has the published hash; null where nothing was published. */
  committed: boolean | null;
  commitment: string | null;
  places: { place: string; turned: string[]; unturned: number }[];
  differences: Difference[];
  agrees: boolean;
}

/** The round dealt again; throws with a sentence where the document cannot be used. */
export function verify(proof: Proof): Verdict {
  const { seed } = proof.shoe;
  if (seed === null)
    throw new Error("the seed is not revealed yet; that is done when the shoe has ended");
  const shoe: Shoe = { ...proof.shoe, seed };
  const piles = laid(shoe, proof);
  const seen = new Map<Place, string[]>();
  const differences: Difference[] = [];
  for (const { place, card } of proof.round.actions.filter(isTurn)) {
    const turned = seen.get(place) ?? [];
    const due = piles.get(place)?.[turned.length] ?? "nothing";
    seen.set(place, [...turned, card]);
    if (due !== card)
      differences.push({
        place: named(place),
        number: turned.length + 1,
        recorded: card,
        dealt: due,
      });
  }
  const committed = shoe.commitment === null ? null : shoe.commitment === commitment(shoe);
  return {
    kind: shoe.kind,
    committed,
    commitment: shoe.commitment,
    places: [...piles].map(([place, pile]) => {
      const turned = seen.get(place) ?? [];
      return { place: named(place), turned, unturned: pile.length - turned.length };
    }),
    differences,
    agrees: differences.length === 0 && committed !== false,
  };
}

type Turn = Required<Action>;
const isTurn = (one: Action): one is Turn => one.do === "turn" || one.do === "expose";

/** What the shoe lays at each place, in the order of the deal. */
function laid(shoe: Shoe, { drawn, round }: Proof): Map<Place, string[]> {
  const places = round.actions
    .filter((one) => one.do === "deal")
    .map((one) => one.place ?? "board");
  const cards = dealt(shoe, drawn + places.length).slice(drawn);
  const piles = new Map<Place, string[]>();
  places.forEach((place, n) =>
    piles.set(place, [...(piles.get(place) ?? []), cards[n] ?? "nothing"]),
  );
  return piles;
}

const named = (place: Place): string => (place === "board" ? "the board" : `seat ${place}`);
