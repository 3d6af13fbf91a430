/** Names for the server's record types, which come from its OpenAPI description. */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Account = Schemas["OwnAccount"];
export type FactorBegun = Schemas["PendingFactor"];
export type Listed = Schemas["AccountShown"];
export type Invite = Schemas["Invite"];
export type Excluded = Schemas["Excluded"];
export type CareShown = Schemas["PlayerLimitsShown"];
export type Wallet = Schemas["Wallet"];
export type PitFloor = Schemas["PitFloor"];
export type FloorTable = Schemas["FloorTable"];
export type Taking = Schemas["TableTotals"];
export type Drawers = Schemas["Drawers"];
export type DrawerShown = Schemas["DrawerShown"];
export type Receipts = Schemas["Receipts"];
export type Boxes = Schemas["Boxes"];
export type HouseStatement = Schemas["HouseStatementShown"];
export type ReceiptShown = Schemas["ReceiptShown"];
export type TableNamed = Schemas["TableNamed"];
export type TableToOpen = Schemas["TableToOpen"];
export type TableOfChance = Schemas["TableOfChance"];

// A table as one viewer sees it, and the commands that viewer may send.
export type View = Schemas["View"];
export type Seat = Schemas["SeatShown"];
export type Shoe = Schemas["ShoeShown"];
export type Result = Schemas["RoundResult"];
export type SeatResult = Schemas["SeatResult"];
export type Line = Schemas["LineReportWithWords"];
export type Pile = Line["chips"][number];
export type Offer = View["offers"][number];
export type WagerOffer = Schemas["WagerOffer"];
export type AmountOffer = Schemas["AmountOffer"];
export type DecideOffer = Schemas["DecideOffer"];
export type Choice = Schemas["ChoiceOffer"];
export type OtherOffer = Schemas["OtherOffer"];
/** Includes the page's own refusals, whose codes no rule has. */
export type Refusal = Omit<Schemas["RefusalShown"], "code"> & { code: string };
export type TableEvent = Schemas["TableEvent"];
export type EventBody = Schemas["EventBody"];
export type SocketTold = Schemas["SocketTold"];
export type CommandAnswer = Schemas["CommandAnswer"];
export type Command = Schemas["CommandAsked"]["command"];

// Inspection.
export type HandFound = Schemas["MatchingHand"];
export type BookVerified = Schemas["LedgerVerification"];
export type Exceptional = Schemas["ExceptionShown"];
export type Exceptions = Schemas["ExceptionReport"];
export type Closes = Schemas["DayCloseList"];
export type GuestsWithMoney = Schemas["GuestsWithMoney"];
export type ListImported = Schemas["ListImported"];
export type Incident = Schemas["IncidentShown"];
export type Incidents = Schemas["IncidentsShown"];

export type SheetNamed = Schemas["SheetSummary"];
export type Sheet = Schemas["FullSheet"];
export type Papers = Schemas["Papers"];
export type PaperFigures = Schemas["PaperFigures"];
export type Group = Schemas["Group"];
export type Printed = Schemas["Circle"];
export type Box = Schemas["Box"];
export type PayTable = Schemas["PrintedPayTable"];
export type Saying = Schemas["RuleSentence"];
export type Lesson = Schemas["Lesson"];
export type StepTaught = Schemas["StepTaught"];
export type Term = Schemas["TermTold"];
export type ClauseOpened = Schemas["ClausePage"];
export type RuleOpened = Schemas["ClauseRule"];

export type SheetFigures = Schemas["SheetFigures"];
export type Decisions = Schemas["Decisions"];
export type Grid = Schemas["Grid"];
export type SessionShown = Schemas["SessionResult"];
export type SpotAdvised = Schemas["AdviceForSpot"];
export type Tried = Schemas["LabResult"];
export type TableTried = Schemas["LabPayTable"];
export type LineTried = Schemas["LabLine"];
export type SheetWish = Schemas["SheetEdits"];
export type Compared = Schemas["SheetComparison"];
export type WagerCompared = Schemas["WagerDifference"];
export type LineCompared = Schemas["LineComparison"];

export type Sum = Schemas["Sum"];
export type PlayValue = Schemas["PlayValue"];
export type Advice = Schemas["AdviceTold"];
export type Weighed = Schemas["WeighedPlay"];
export type Decision = Schemas["DecisionTold"];
export type LookedBack = Schemas["PlayerReview"];
export type Trends = Schemas["Trends"];
export type DailyShown = Schemas["DailyShown"];

// Past rounds and the proofs of their deals.
export type Recalled = Schemas["Recalled"];
export type Rounds = Schemas["Rounds"];
export type Step = Schemas["Step"];
/** The player's own round or a shared one. Fields that only one of the two has are optional. */
export type Replayed = Omit<Schemas["Replayed"], "advice" | "balance"> &
  Partial<Pick<Schemas["Replayed"], "advice" | "balance">> &
  Partial<Pick<Schemas["SharedRound"], "shared_by" | "until" | "proof" | "proof_why">>;
export type SeedProof = Schemas["SeedProof"];
export type CardProof = Schemas["CardProof"];
export type Laid = Schemas["CardLaid"];
export type DealPast = Schemas["DealPast"];
export type ActionStored = Schemas["ActionStored"];

export type Explained = Schemas["Explained"];
export type Interruption = Schemas["Interruption"];
export type Significant = Schemas["SignificantShown"];

// Event nights. A command that is not allowed comes with null or a reason.
export type Schedules = Schemas["Schedules"];
export type ScheduleRead = Schemas["ScheduleRead"];
export type NightNamed = Schemas["NightListed"];
export type NightShown = Schemas["NightShown"];
export type Stop = Schemas["Stop"];
export type TournamentCommand = Schemas["TournamentAsked"]["command"];
export type TournamentShown = Schemas["TournamentShown"];
export type TournamentGone = Schemas["TournamentGone"];
export type NightStopped = Schemas["NightStopped"];
export type SlipGiven = Schemas["SlipGiven"];
export type Entrant = Schemas["EntrantShown"];
export type TicketShown = Schemas["TicketShown"];
export type Code = Schemas["TicketCode"];
export type CheckedIn = Schemas["CheckedIn"];
export type RoomTable = Schemas["RoomTable"];
export type DealtTable = Schemas["DealtTableShown"];
export type Limit = Schemas["LevelLimit"];
export type ClockBoard = Schemas["ClockBoard"];
export type Slip = Schemas["SlipShown"];
export type Statement = Schemas["StatementShown"];
export type Finding = Pick<Schemas["SheetFinding"], "field" | "message">;

// Dealer training.
export type KindsTold = Schemas["DrillKinds"];
export type QuestionWish = Schemas["DrillRequest"];
export type PacketTold = Schemas["QuestionPacket"];
export type PacketItem = Schemas["PacketItem"];
export type QuestionPut = Schemas["NumberedQuestion"];
export type Question = Schemas["QuestionShown"];
export type Verdict = Schemas["Verdict"];
export type Hint = Schemas["Hint"];
export type Progress = Schemas["Progress"];
export type TestsTold = Schemas["TableTests"];
export type PaperTold = Schemas["TestProgress"];
export type Certificate = Schemas["Certificate"];
export type ItemTold = Schemas["AnsweredQuestion"];
export type ResultNamed = Schemas["CertificateSummary"];
export type ClassTold = Schemas["ClassProgress"];

export type NightAt = `/api/nights/${string}`;
export type TournamentAt = `${NightAt}/tournaments/${string}`;
