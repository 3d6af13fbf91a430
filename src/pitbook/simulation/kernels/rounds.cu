// Rounds on a GPU: the loops of this folder's Python kernels once more, one thread to a round.
//
// The host writes the whole numbers of a job as macros before this text, so that loops are unrolled
// and the tables that fit lie in the multiprocessor's own memory. Counts are whole numbers; whoever
// adds first, the sums are those of any other machine.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#define FACTOR_0 0xD2511F53u
#define FACTOR_1 0xCD9E8D57u
#define STEP_0 0x9E3779B9u
#define STEP_1 0xBB67AE85u

struct Words {
  u32 w[4];
};

__device__ __forceinline__ Words philox(u64 number, u32 attempt, u32 purpose, u64 key) {
  u32 zero = (u32)number, one = (u32)(number >> 32), two = attempt, three = purpose;
  u32 low = (u32)key, high = (u32)(key >> 32);
#pragma unroll
  for (int turn = 0; turn < 10; ++turn) {
    u64 first = (u64)FACTOR_0 * zero, second = (u64)FACTOR_1 * two;
    zero = (u32)(second >> 32) ^ one ^ low;
    one = (u32)second;
    two = (u32)(first >> 32) ^ three ^ high;
    three = (u32)first;
    low += STEP_0;
    high += STEP_1;
  }
  Words words;
  words.w[0] = zero;
  words.w[1] = one;
  words.w[2] = two;
  words.w[3] = three;
  return words;
}

// One of four words, without an array that a register could not hold.
__device__ __forceinline__ u32 lane_of(const Words& words, u32 lane) {
  u32 lower = (lane & 1) ? words.w[1] : words.w[0];
  u32 upper = (lane & 1) ? words.w[3] : words.w[2];
  return (lane & 2) ? upper : lower;
}

// A table goes to the multiprocessor's own memory, four bytes at a time.
__device__ __forceinline__ void brought(u8* pool, const void* from, int bytes) {
  const u32* source = (const u32*)from;
  u32* target = (u32*)pool;
  for (int place = threadIdx.x; place < (bytes + 3) / 4; place += blockDim.x) {
    target[place] = source[place];
  }
}

POOL;

#ifdef ONE_SEAT

#define FOUR 6497400u
#define FOUR_AGAIN 185896u
#define FIFTH_AGAIN 16u

struct Steps {
  const START_T* start;
  const THIRD_T* third;
  const FOURTH_T* fourth;
  const u8* fifth;
};

__device__ u32 below(u64 number, u32 word, u64 key, u32 size, u32 left_over) {
  for (u32 attempt = 0;; ++attempt) {
    Words words = philox(number >> 1, attempt, 0, key);
    u64 drawn = (u64)lane_of(words, (u32)(number & 1) * 2 + word) * size;
    if ((u32)drawn >= left_over) return (u32)(drawn >> 32);
  }
}

__device__ __noinline__ u32 one_round(u64 number, u64 key, Steps steps) {
  u32 index = below(number, 0, key, FOUR, FOUR_AGAIN);
  u32 last = below(number, 1, key, 48, FIFTH_AGAIN);
  u32 state = steps.start[index / 2450];
  state = steps.third[state * 50 + index / 49 % 50];
  u32 packed = steps.fourth[state * 49 + index % 49];
  return (packed >> ROW_BITS) * LABELS + steps.fifth[(packed & ((1u << ROW_BITS) - 1)) * 48 + last];
}

extern "C" __global__ void __launch_bounds__(THREADS)
    alone(u64 from, u64 to, u64 key, const START_T* start, const THIRD_T* third,
          const FOURTH_T* fourth, const u8* fifth, u64* counts) {
  u32* ends = (u32*)(pool + ENDS_AT);
  for (int place = threadIdx.x; place < ENDS * COPIES; place += blockDim.x) ends[place] = 0;
  Steps steps;
#if START_AT >= 0
  brought(pool + START_AT, start, START_BYTES);
  steps.start = (const START_T*)(pool + START_AT);
#else
  steps.start = start;
#endif
#if THIRD_AT >= 0
  brought(pool + THIRD_AT, third, THIRD_BYTES);
  steps.third = (const THIRD_T*)(pool + THIRD_AT);
#else
  steps.third = third;
#endif
#if FOURTH_AT >= 0
  brought(pool + FOURTH_AT, fourth, FOURTH_BYTES);
  steps.fourth = (const FOURTH_T*)(pool + FOURTH_AT);
#else
  steps.fourth = fourth;
#endif
#if FIFTH_AT >= 0
  brought(pool + FIFTH_AT, fifth, FIFTH_BYTES);
  steps.fifth = pool + FIFTH_AT;
#else
  steps.fifth = fifth;
#endif
  __syncthreads();
  u32* own = ends + threadIdx.x % COPIES;
  u64 first = blockIdx.x * (u64)blockDim.x + threadIdx.x, stride = (u64)gridDim.x * blockDim.x;
  for (u64 block = (from + 1) / 2 + first; block < to / 2; block += stride) {
    Words words = philox(block, 0, 0, key);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      u64 scaled = (u64)words.w[2 * half] * 2652u;
      u32 state = steps.start[(u32)(scaled >> 32)];
      scaled = (u64)(u32)scaled * 50u;
      state = steps.third[state * 50 + (u32)(scaled >> 32)];
      scaled = (u64)(u32)scaled * 49u;
      u32 packed = steps.fourth[state * 49 + (u32)(scaled >> 32)];
      u64 other = (u64)words.w[2 * half + 1] * 48u;
      u32 row = packed & ((1u << ROW_BITS) - 1);
      u32 end = (packed >> ROW_BITS) * LABELS + steps.fifth[row * 48 + (u32)(other >> 32)];
      if ((u32)scaled < FOUR_AGAIN || (u32)other < FIFTH_AGAIN) {
        end = one_round(2 * block + half, key, steps);
      }
      atomicAdd(own + end * COPIES, 1u);
    }
  }
  if (first == 0 && from < to) {  // A round without its neighbor, at either end.
    if (from & 1) atomicAdd(own + one_round(from, key, steps) * COPIES, 1u);
    if ((to & 1) && !(from & 1 && from + 1 == to)) {
      atomicAdd(own + one_round(to - 1, key, steps) * COPIES, 1u);
    }
  }
  __syncthreads();
  for (int end = threadIdx.x; end < ENDS; end += blockDim.x) {
    u64 sum = 0;
    for (int copy = 0; copy < COPIES; ++copy) sum += ends[end * COPIES + copy];
    if (sum) atomicAdd(counts + end, sum);
  }
}

#else  // A whole table.

#define CARDS (SEATS * HAND + BOARD)

// A thread's own column of the shoe: whatever cards others touch, no two threads meet.
__device__ __forceinline__ u8* deck_at(u8* deck, u32 place) {
  return deck + ((place >> 2) * THREADS + threadIdx.x) * 4 + (place & 3);
}

__device__ __noinline__ u32 again(u64 at, u32 attempt, u64 key) {
  return lane_of(philox(at >> 2, attempt, 0, key), (u32)at & 3);
}

__device__ __forceinline__ void drawn(u64 number, u64 key, u32* cards) {
  Words words;
#pragma unroll
  for (int word = 0; word < WORDS; ++word) {
    u64 at = number * KEPT + word;
    if (word % 4 == 0) words = philox(at >> 2, 0, 0, key);
#if KEPT >= 4
    u32 left = words.w[word % 4];
#else
    u32 left = lane_of(words, (u32)at & 3);
#endif
    for (u32 attempt = 0;;) {
#pragma unroll
      for (int card = 0; card < CARDS; ++card) {
        if (card >= WORD_FROM(word) && card < WORD_TO(word)) {
          u64 scaled = (u64)left * (u32)(SHOE - card);
          cards[card] = (u32)(scaled >> 32);
          left = (u32)scaled;
        }
      }
      if (left >= WORD_AGAIN(word)) break;
      left = again(at, ++attempt, key);
    }
  }
}

__device__ __forceinline__ void dealt(u64 number, u64 key, u8* deck, u32* cards) {
  drawn(number, key, cards);
#if ALONE
  u64 held = 0;
  u32 suits = 15, rising[CARDS];
#pragma unroll
  for (int here = 0; here < CARDS; ++here) {
    u32 card = cards[here];
#pragma unroll
    for (int place = 0; place < here; ++place) card += card >= rising[place];
    u32 taken = (u32)(held >> (card & ~3u)) & 15;
    u32 place = (card & 3) - __popc(taken & ((1u << (card & 3)) - 1));
    u32 shared = here == 0 || suits == 0 ? 4 : __ffs(suits) - 1;
    // The shared suit first, if it is left; then clubs to spades.
    u32 left = ~taken & 15, suit = 0;
    if (shared < 4 && (left >> shared & 1)) {
      if (place == 0) left = 1u << shared;
      else left &= ~(1u << shared), --place;
    }
    for (; place; --place) left &= left - 1;
    suit = __ffs(left) - 1;
    card = (card & ~3u) | suit;
    cards[here] = card;
    suits &= 1u << suit;
    held |= 1ull << card;
    u32 carried = card;
#pragma unroll
    for (int at = 0; at < here; ++at) {
      u32 less = min(rising[at], carried);
      carried = max(rising[at], carried);
      rising[at] = less;
    }
    rising[here] = carried;
  }
#else
  u32* column = (u32*)deck + threadIdx.x;
#pragma unroll 13
  for (int word = 0; word < SHOE / 4; ++word) {
    column[word * THREADS] = (u32)(4 * word % 52) * 0x01010101u + 0x03020100u;
  }
#pragma unroll
  for (int place = 0; place < CARDS; ++place) {
    u8* there = deck_at(deck, place + cards[place]);
    cards[place] = *there;
    *there = *deck_at(deck, place);
  }
#endif
}

#if ERR
__device__ __noinline__ u32 erred(u64 number, u64 key, u32 decision, u32 best, u32 plays) {
  u32 others = plays - 1;
  if (!others) return best;
  u32 size = ERR_OF * others, left_over = (u32)(0x100000000ull % size);
  u64 scaled;
  for (u32 attempt = 0;; ++attempt) {
    Words words = philox(number, attempt, 1 + decision / 4, key);
    scaled = (u64)lane_of(words, decision & 3) * size;
    if ((u32)scaled >= left_over) break;
  }
  u32 value = (u32)(scaled >> 32);
  if (value >= ERR * others) return best;
  u32 other = value % others;
  return other < best ? other : other + 1;
}
#endif

struct Tables {
  const SUMS_T* sums;
  const u8* small;
  const int* wide;
  const int* cell_of;
  const int* nets;
  const DUE_T* due;
};

#if LADDER == 1

__device__ __forceinline__ void played(u64 number, u64 key, const u32* cards, Tables t, u32* ends) {
  u32 boards[BOARD + 1], suits[BOARD + 1];
  boards[0] = 0;
  suits[0] = 15;
#pragma unroll
  for (int turned = 0; turned < BOARD; ++turned) {
    u32 card = cards[SEATS * HAND + turned];
    boards[turned + 1] = t.sums[MORE_AT(turned) + boards[turned] * 13 + (card >> 2)];
    suits[turned + 1] = suits[turned] & 1u << (card & 3);
  }
  u32 common = t.small[BOARD_AT + 2 * boards[BOARD] + (suits[BOARD] != 0)];
#pragma unroll
  for (int seat = 0; seat < SEATS; ++seat) {
    u32 own = cards[seat * HAND] >> 2, suit = 1u << (cards[seat * HAND] & 3);
#pragma unroll
    for (int place = 1; place < HAND; ++place) {
      u32 card = cards[seat * HAND + place];
      own = t.sums[MORE_AT(place) + own * 13 + (card >> 2)];
      suit &= 1u << (card & 3);
    }
    u32 here = 0;
#pragma unroll
    for (int street = 0; street < STREETS; ++street) {
      u32 join = JOIN_AT(street) + own * JOIN_WIDTH(street) + boards[TURNED(street)];
      u32 spot = 2 * t.sums[join] + ((suit & suits[TURNED(street)]) != 0);
      u32 play = t.small[t.wide[here] + spot];
#if ERR
      play = erred(number, key, seat * STREETS + street, play, t.wide[here + 1]);
#endif
      here = t.wide[here + 2 + play];
    }
    u32 five = ((suit & suits[BOARD]) != 0) * HOLE_SETS + own;
    u32 at = t.wide[here] * HANDS + t.small[HAND_AT + five * BOARD_SETS + boards[BOARD]];
    at = at * HOLES + (HOLES > 1 ? t.small[HOLE_AT + 2 * own + (suit != 0)] : 0);
    ends[seat] = t.cell_of[at * BOARDS + common];
  }
}

#elif LADDER == 2

#define GOES_ON (-1)
#define RANKS_MASK 0x1fffu

// Some cards: ranks as a multiset, ranks of each suit as bits, and how many they are.
struct Held {
  u32 ranks, counts;
  u64 suits;
};

__device__ __forceinline__ void with(Held& held, u32 card, u32 at, const SUMS_T* sums) {
  held.ranks = sums[at + held.ranks * 13 + (card >> 2)];
  held.suits |= 1ull << (16 * (card & 3) + (card >> 2));
  held.counts += 1u << (4 * (card & 3));
}

// The best class: that of the ranks, or of a suit with enough cards.
__device__ __forceinline__ u32 class_of(const Held& held, u32 at, u32 suit_at, u32 best,
                                        const SUMS_T* sums) {
  u32 found = sums[at + held.ranks];
  if ((held.counts + (8 - best) * 0x1111u) & 0x8888u) {
    for (int suit = 0; suit < 4; ++suit) {
      u32 other = sums[suit_at + ((u32)(held.suits >> (16 * suit)) & RANKS_MASK)];
      found = max(found, other);
    }
  }
  return found;
}

__device__ __forceinline__ u32 event_of(u32 mine, u32 theirs) {
  return (mine >= theirs) + (mine > theirs) + 3 * (theirs < (u32)DUEL_LEAST);
}

__device__ __forceinline__ void ordered(u32& one, u32& other) {
  u32 less = min(one, other);
  other = max(one, other);
  one = less;
}

#if DUEL_HAS_BY_HAND
__device__ __forceinline__ u32 by_hand(const u32* cards, int seat, u32 mine, Tables t) {
  u32 rank = 0, suit = 0;
#if DUEL_UPS > 1
  rank = cards[SEATS * HAND] >> 2, suit = cards[SEATS * HAND] & 3;
#endif
  u32 play = t.small[DUEL_POLICY_AT + mine * DUEL_UPS + rank];
  if (play != DUEL_MIXED) return play;
  u32 few[HAND];
#pragma unroll
  for (int place = 0; place < HAND; ++place) few[place] = cards[seat * HAND + place] ^ suit;
#pragma unroll
  for (int last = HAND - 1; last > 0; --last) {
#pragma unroll
    for (int place = 0; place < last; ++place) ordered(few[place], few[place + 1]);
  }
  u32 at = 0;
#pragma unroll
  for (int place = 0; place < HAND; ++place) {
    at += t.wide[DUEL_CHOOSE_AT + few[place] * DUEL_CHOOSE_WIDTH + place + 1];
  }
  return t.small[DUEL_DETAIL_AT + t.wide[DUEL_ROWS_AT + at] * DUEL_UPS + rank];
}
#endif

#if DUEL_HAS_BY_FLOP
__device__ __forceinline__ u32 swapped(u32 card, const u8* swap) {
  return (card & ~3u) | swap[card & 3];
}

__device__ __forceinline__ u32 by_flop(const u32* cards, int seat, Tables t) {
  u32 one = cards[SEATS * HAND], two = cards[SEATS * HAND + 1], three = cards[SEATS * HAND + 2];
  ordered(one, two);
  ordered(two, three);
  ordered(one, two);
  u32 flop = three * (three - 1) * (three - 2) / 6 + two * (two - 1) / 2 + one;
  u32 alike = t.sums[DUEL_FLOP_AT + flop];
  const u8* swap = t.small + DUEL_SWAPS_AT + 4 * t.small[DUEL_SWAP_AT + flop];
  one = swapped(one, swap), two = swapped(two, swap), three = swapped(three, swap);
  u32 low = swapped(cards[seat * HAND], swap), high = swapped(cards[seat * HAND + 1], swap);
  ordered(low, high);
  low -= (one < low) + (two < low) + (three < low);
  high -= (one < high) + (two < high) + (three < high);
  return t.small[DUEL_PAIRS_AT + alike * DUEL_PAIRS + high * (high - 1) / 2 + low];
}
#endif

#if DUEL_HAS_BY_BOARD
// Which of two plays is better against all pairs of the cards left, counted by their ranks.
__device__ __noinline__ u32 by_board(u32 card_one, u32 card_two, u32 mine, Held shared, Tables t) {
  u64 left = 0;
  for (int rank = 0; rank < 13; ++rank) {
    u32 gone = (u32)(shared.suits >> rank & 1) + (u32)(shared.suits >> (16 + rank) & 1) +
               (u32)(shared.suits >> (32 + rank) & 1) + (u32)(shared.suits >> (48 + rank) & 1);
    left |= (u64)(4 - gone) << (4 * rank);
  }
  left -= 1ull << (4 * (card_one >> 2));
  left -= 1ull << (4 * (card_two >> 2));
  u32 flushes = 0, bits = 0;
  for (u32 suit = 0; suit < 4; ++suit) {
    if ((shared.counts >> (4 * suit) & 15) < 3) continue;
    bits = (u32)(shared.suits >> (16 * suit)) & RANKS_MASK;
    flushes = RANKS_MASK & ~bits;
    if ((card_one & 3) == suit) flushes &= ~(1u << (card_one >> 2));
    if ((card_two & 3) == suit) flushes &= ~(1u << (card_two >> 2));
  }
  const int* gains = t.wide + DUEL_GAIN_AT + 6 * t.small[DUEL_SHAPE_AT + mine];
  const SUMS_T* suited = t.sums + DUEL_SUIT_AT;
  u32 none = bits ? suited[bits] : 0;
  i64 gained = 0;
  for (int one = 0; one < 13; ++one) {
    int many = (int)(left >> (4 * one) & 15);
    if (!many) continue;
    u32 with_one = DUEL_MORE_AT(6) + 13 * t.sums[DUEL_MORE_AT(5) + shared.ranks * 13 + one];
    int a = (int)(flushes >> one & 1);
    u32 first = bits ? suited[bits | 1u << one] : 0;
    for (int two = one; two < 13; ++two) {
      int others = (int)(left >> (4 * two) & 15), ways;
      u32 theirs = t.sums[DUEL_OTHER_AT + t.sums[with_one + two]];
      if (one == two) {
        if (a) gained += (i64)(many - 1) * gains[event_of(mine, max(theirs, first))];
        ways = (many - a) * (many - a - 1) / 2;
      } else {
        int b = (int)(flushes >> two & 1);
        if (a && b) {
          u32 both = suited[bits | 1u << one | 1u << two];
          gained += gains[event_of(mine, max(theirs, both))];
        }
        if (a) gained += (i64)(others - b) * gains[event_of(mine, max(theirs, first))];
        if (b) {
          u32 second = suited[bits | 1u << two];
          gained += (i64)(many - a) * gains[event_of(mine, max(theirs, second))];
        }
        ways = (many - a) * (others - b);
      }
      gained += (i64)ways * gains[event_of(mine, max(theirs, none))];
    }
  }
  return gained > 0 || (gained == 0 && DUEL_PREFERS) ? DUEL_OTHER : DUEL_FIRST;
}
#endif

__device__ __forceinline__ u32 chosen(int street, const u32* cards, int seat, u32 mine,
                                      const Held& shared, Tables t) {
#if DUEL_HAS_BY_HAND
  if (DUEL_MODE(street) == DUEL_BY_HAND) return by_hand(cards, seat, mine, t);
#endif
#if DUEL_HAS_BY_HOLE
  if (DUEL_MODE(street) == DUEL_BY_HOLE) {
    return t.small[DUEL_HOLE_AT + cards[seat * HAND] * 52 + cards[seat * HAND + 1]];
  }
#endif
#if DUEL_HAS_BY_FLOP
  if (DUEL_MODE(street) == DUEL_BY_FLOP) return by_flop(cards, seat, t);
#endif
#if DUEL_HAS_BY_BOARD
  if (DUEL_MODE(street) == DUEL_BY_BOARD) {
    return by_board(cards[seat * HAND], cards[seat * HAND + 1], mine, shared, t);
  }
#endif
  return DUEL_ONLY(street);
}

__device__ __forceinline__ void played(u64 number, u64 key, const u32* cards, Tables t, u32* ends) {
  Held shared = {0, 0, 0};
#pragma unroll
  for (int place = 0; place < DUEL_COMMON; ++place) {
    with(shared, cards[SEATS * HAND + place], DUEL_MORE_AT(place), t.sums);
  }
  Held dealers = shared;
#pragma unroll
  for (int place = DUEL_COMMON; place < BOARD; ++place) {
    with(dealers, cards[SEATS * HAND + place], DUEL_MORE_AT(place), t.sums);
  }
  u32 theirs = class_of(dealers, DUEL_OTHER_AT, DUEL_SUIT_AT, DUEL_BEST, t.sums);
#pragma unroll
  for (int seat = 0; seat < SEATS; ++seat) {
    Held own = shared;
#pragma unroll
    for (int place = 0; place < HAND; ++place) {
      with(own, cards[seat * HAND + place], DUEL_MORE_AT(DUEL_COMMON + place), t.sums);
    }
    u32 mine = class_of(own, DUEL_OWN_AT, DUEL_SUIT_AT, DUEL_BEST, t.sums);
    int end = GOES_ON;
#pragma unroll
    for (int street = 0; street < DUEL_STREETS; ++street) {
      if (end != GOES_ON) continue;
      u32 play = chosen(street, cards, seat, mine, shared, t), menu = DUEL_MENUS(street);
#if DUEL_HAS_BY_HAND
      menu += DUEL_WIDTH * t.small[DUEL_MENU_OF_AT + mine];
#endif
#if ERR
      play = erred(number, key, seat * DUEL_STAGES + DUEL_STAGE(street), play, t.wide[menu]);
#endif
      end = t.wide[menu + 1 + play];
    }
    u32 at = (end * 6 + event_of(mine, theirs)) * DUEL_GROUPS + t.small[DUEL_GROUP_AT + mine];
#if DUEL_BOTHS > 1
#pragma unroll
    for (int place = DUEL_COMMON; place < BOARD; ++place) {
      with(own, cards[SEATS * HAND + place], DUEL_MORE_AT(HAND + place), t.sums);
    }
    u32 both = class_of(own, DUEL_BOTH_AT, DUEL_BOTH_SUIT_AT, 5, t.sums);
    at = at * DUEL_BOTHS + t.small[DUEL_BOTH_GROUP_AT + both];
#endif
    ends[seat] = t.cell_of[at];
  }
}

#elif LADDER == 3

__device__ __forceinline__ void played(u64 number, u64 key, const u32* cards, Tables t, u32* ends) {
  u32 common = 0, scale = 1;
#pragma unroll
  for (int place = 0; place < BOARD; ++place) {
    common = common * 13 + (cards[SEATS * HAND + place] >> 2);
    scale *= 13;
  }
#pragma unroll
  for (int seat = 0; seat < SEATS; ++seat) {
    u32 own = 0;
#pragma unroll
    for (int place = 0; place < HAND; ++place) own = own * 13 + (cards[seat * HAND + place] >> 2);
    ends[seat] = t.cell_of[own * scale + common];
  }
}

#else

__device__ __forceinline__ void played(u64 number, u64 key, const u32* cards, Tables t, u32* ends) {
  u32 laid = 0;
#pragma unroll
  for (int place = 0; place < BOARD; ++place) {
    laid = t.sums[MORE_AT(place) + laid * 13 + (cards[SEATS * HAND + place] >> 2)];
  }
  int dealer_low = t.wide[DEALER_AT + 2 * laid], dealer_high = t.wide[DEALER_AT + 2 * laid + 1];
#pragma unroll
  for (int seat = 0; seat < SEATS; ++seat) {
    u32 own = 0, suit = 15, held = 0, twins = 0, met = 0;
    u64 faces = 0;
#pragma unroll
    for (int place = 0; place < HAND; ++place) {
      u32 card = cards[seat * HAND + place];
      own = t.sums[MORE_AT(place) + own * 13 + (card >> 2)];
      suit &= 1u << (card & 3);
      held |= 1u << (card >> 2);
      twins |= (u32)(faces >> card) & 1;
      faces |= 1ull << card;
    }
#pragma unroll
    for (int place = 0; place < BOARD; ++place) met += held >> (cards[SEATS * HAND + place] >> 2) & 1;
    u32 play = t.small[BEST_AT + own];
#if ERR
    play = erred(number, key, seat, play, PLAYS);
#endif
    int ahead = t.small[LOW_AT + play] ? dealer_low - t.wide[2 * own]
                                       : t.wide[2 * own + 1] - dealer_high;
    u32 at = play * 3 + 1 - (ahead > 0) + (ahead < 0);
    at = at * MATCHES + t.small[MATCH_AT + met];
    at = at * KINDS + (KINDS > 1 ? t.small[KIND_AT + 4 * own + 2 * (suit != 0) + twins] : 0);
    ends[seat] = t.cell_of[at];
  }
}

#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    table(u64 from, u64 to, u64 key, const SUMS_T* sums, const u8* small, const int* wide,
          const int* cell_of, const int* nets, const DUE_T* due, u64* counts, u64* seen,
          int* capped, i64* above, u32* marks) {
  Tables t;
#if SUMS_IN >= 0
  brought(pool + SUMS_IN, sums, SUMS_BYTES);
  t.sums = (const SUMS_T*)(pool + SUMS_IN);
#else
  t.sums = sums;
#endif
#if SMALL_IN >= 0
  brought(pool + SMALL_IN, small, SMALL_BYTES);
  t.small = pool + SMALL_IN;
#else
  t.small = small;
#endif
#if WIDE_IN >= 0
  brought(pool + WIDE_IN, wide, WIDE_BYTES);
  t.wide = (const int*)(pool + WIDE_IN);
#else
  t.wide = wide;
#endif
#if CELL_OF_IN >= 0
  brought(pool + CELL_OF_IN, cell_of, CELL_OF_BYTES);
  t.cell_of = (const int*)(pool + CELL_OF_IN);
#else
  t.cell_of = cell_of;
#endif
#if NETS_IN >= 0
  brought(pool + NETS_IN, nets, NETS_BYTES);
  t.nets = (const int*)(pool + NETS_IN);
#else
  t.nets = nets;
#endif
#if DUE_IN >= 0
  brought(pool + DUE_IN, due, DUE_BYTES);
  t.due = (const DUE_T*)(pool + DUE_IN);
#else
  t.due = due;
#endif
#if OWN_COUNTS_AT >= 0
  u32* own_counts = (u32*)(pool + OWN_COUNTS_AT);
  for (int place = threadIdx.x; place < SEATS * CELLS; place += blockDim.x) own_counts[place] = 0;
#endif
  u32* own_seen = (u32*)(pool + OWN_SEEN_AT);
  for (int place = threadIdx.x; place < OWN_SEEN; place += blockDim.x) own_seen[place] = 0;
  __syncthreads();
  u64 first = blockIdx.x * (u64)blockDim.x + threadIdx.x, stride = (u64)gridDim.x * blockDim.x;
  for (u64 number = from + first; number < to; number += stride) {
    u32 cards[CARDS], ends[SEATS];
    dealt(number, key, pool + DECK_AT, cards);
    played(number, key, cards, t, ends);
#pragma unroll
    for (int seat = 0; seat < SEATS; ++seat) {
#if OWN_COUNTS_AT >= 0
      atomicAdd(own_counts + seat * CELLS + ends[seat], 1u);
#else
      atomicAdd(counts + seat * CELLS + ends[seat], 1ull);
#endif
    }
#if SEATS > 1
    i64 net = 0;
#pragma unroll
    for (int seat = 0; seat < SEATS; ++seat) net += t.nets[ends[seat]];
    bool bites = false;
#pragma unroll
    for (int cap = 0; cap < CAPS; ++cap) {
      u64 total = 0;
#pragma unroll
      for (int seat = 0; seat < SEATS; ++seat) total += t.due[cap * CELLS + ends[seat]];
      bites |= total > DUE_MAX(cap);
    }
    u64 place = (u64)(net - (i64)FLOOR);
    if (bites) {
      u32 row = atomicAdd(marks, 1u);
      if (row < TOLD_MAX) {
        capped[row * (1 + SEATS)] = (int)net;
#pragma unroll
        for (int seat = 0; seat < SEATS; ++seat) capped[row * (1 + SEATS) + 1 + seat] = ends[seat];
      }
    } else if (place < OWN_SEEN) {
      atomicAdd(own_seen + place, 1u);
    } else if (place < WINDOW) {
      atomicAdd(seen + place, 1ull);
    } else {
      u32 row = atomicAdd(marks + 1, 1u);
      if (row < TOLD_MAX) above[row] = net;
    }
#endif
  }
  __syncthreads();
#if OWN_COUNTS_AT >= 0
  for (int place = threadIdx.x; place < SEATS * CELLS; place += blockDim.x) {
    if (own_counts[place]) atomicAdd(counts + place, (u64)own_counts[place]);
  }
#endif
  for (int place = threadIdx.x; place < OWN_SEEN; place += blockDim.x) {
    if (own_seen[place]) atomicAdd(seen + place, (u64)own_seen[place]);
  }
}

#endif
