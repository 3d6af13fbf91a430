/** Names for the server's record types, which come from its OpenAPI description. */

import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Account = Schemas["OwnAccount"];
export type PendingFactor = Schemas["PendingFactor"];
export type AccountView = Schemas["AccountView"];
export type Invite = Schemas["Invite"];
export type Excluded = Schemas["Excluded"];
export type PlayerLimits = Schemas["PlayerLimitsView"];
export type Wallet = Schemas["Wallet"];
export type PitFloor = Schemas["PitFloor"];
export type FloorTable = Schemas["FloorTable"];
export type TableTotals = Schemas["TableTotals"];
export type Drawers = Schemas["Drawers"];
export type DrawerView = Schemas["DrawerView"];
export type Receipts = Schemas["Receipts"];
export type Boxes = Schemas["Boxes"];
export type HouseStatement = Schemas["HouseStatementView"];
export type ReceiptView = Schemas["ReceiptView"];
export type TableSummary = Schemas["TableSummary"];
export type NewTable = Schemas["NewTable"];
export type CashTable = Schemas["TableOfChance"];

// A table as one viewer sees it, and the commands that viewer may send.
export type View = Schemas["View"];
export type Presence = Schemas["Presence"];
export type Seat = Schemas["SeatView"];
export type Shoe = Schemas["ShoeView"];
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
export type Refusal = Omit<Schemas["RefusalJson"], "code"> & { code: string };
export type TableEvent = Schemas["TableEvent"];
export type EventBody = Schemas["EventBody"];
export type ServerFrame = Schemas["ServerFrame"];
export type CommandAnswer = Schemas["CommandAnswer"];
export type Command = Schemas["CommandRequest"]["command"];

// Inspection.
export type MatchingHand = Schemas["MatchingHand"];
export type LedgerVerification = Schemas["LedgerVerification"];
export type ExceptionView = Schemas["ExceptionView"];
export type ExceptionReport = Schemas["ExceptionReport"];
export type DayCloseList = Schemas["DayCloseList"];
export type GuestsWithMoney = Schemas["GuestsWithMoney"];
export type ImportedList = Schemas["GuestListImport"];
export type Incident = Schemas["IncidentView"];
export type Incidents = Schemas["IncidentsView"];

export type SheetSummary = Schemas["SheetSummary"];
export type Sheet = Schemas["FullSheet"];
export type Papers = Schemas["Papers"];
export type PaperFigures = Schemas["PaperFigures"];
export type Group = Schemas["Group"];
export type PrintedCircle = Schemas["Circle"];
export type Box = Schemas["Box"];
export type PayTable = Schemas["PrintedPayTable"];
export type RuleSentence = Schemas["RuleSentence"];
export type Lesson = Schemas["Lesson"];
export type LessonStep = Schemas["LessonStep"];
export type Term = Schemas["GlossaryTerm"];
export type ClauseDetails = Schemas["ClausePage"];
export type ClauseRule = Schemas["ClauseRule"];

export type SheetFigures = Schemas["SheetFigures"];
export type Decisions = Schemas["Decisions"];
export type Grid = Schemas["Grid"];
export type SessionResult = Schemas["SessionResult"];
export type AdviceForSpot = Schemas["AdviceForSpot"];
export type LabResult = Schemas["LabResult"];
export type LabPayTable = Schemas["LabPayTable"];
export type LabLine = Schemas["LabLine"];
export type SheetEdits = Schemas["SheetEdits"];
export type SheetComparison = Schemas["SheetComparison"];
export type WagerDifference = Schemas["WagerDifference"];
export type LineComparison = Schemas["LineComparison"];

export type Sum = Schemas["Sum"];
export type PlayValue = Schemas["PlayValue"];
export type Advice = Schemas["AdviceValues"];
export type WeighedPlay = Schemas["WeighedPlay"];
export type Decision = Schemas["DecisionSummary"];
export type PlayerReview = Schemas["PlayerReview"];
export type Trends = Schemas["Trends"];
export type DailyView = Schemas["DailyView"];

// Past rounds and the proofs of their deals.
export type PastRound = Schemas["PastRound"];
export type Rounds = Schemas["RoundsPage"];
export type Step = Schemas["ReplayStep"];
/** The player's own round or a shared one. Fields that only one of the two has are optional. */
export type ReplayedRound = Omit<Schemas["RoundReplay"], "advice" | "balance"> &
  Partial<Pick<Schemas["RoundReplay"], "advice" | "balance">> &
  Partial<Pick<Schemas["SharedRound"], "shared_by" | "until" | "proof" | "proof_why">>;
export type SeedProof = Schemas["SeedProof"];
export type CardProof = Schemas["CardProof"];
export type CardLaid = Schemas["DealtCard"];
export type DealPast = Schemas["PastDeal"];
export type ActionStored = Schemas["StoredAction"];

export type PayoutExplanation = Schemas["SeatExplanation"];
export type Interruption = Schemas["Interruption"];
export type SignificantEvent = Schemas["SignificantEventView"];
export type SignificantEvents = Schemas["SignificantEvents"];

// Event nights. A command that is not allowed comes with null or a reason.
export type Schedules = Schemas["ScheduleTexts"];
export type CheckedSchedule = Schemas["ScheduleView"];
export type NightSummary = Schemas["NightSummary"];
export type NightShown = Schemas["NightView"];
export type Stop = Schemas["StoppedPlay"];
export type TournamentCommand = Schemas["TournamentCommandRequest"]["command"];
export type TournamentShown = Schemas["TournamentView"];
export type TournamentGone = Schemas["WithdrawnTournament"];
export type NightStopped = Schemas["NightInterruption"];
export type IssuedSlip = Schemas["SlipWithText"];
export type Entrant = Schemas["EntrantView"];
export type TicketShown = Schemas["TicketView"];
export type TicketCode = Schemas["TicketCode"];
export type CheckedIn = Schemas["CheckInView"];
export type RoomTable = Schemas["RoomTable"];
export type DealtTable = Schemas["LiveTableView"];
export type Limit = Schemas["LevelLimit"];
export type ClockBoard = Schemas["ClockBoard"];
export type Slip = Schemas["SlipView"];
export type Statement = Schemas["StatementView"];
export type Finding = Pick<Schemas["SheetFinding"], "field" | "message">;

// Dealer training.
export type DrillKinds = Schemas["DrillKinds"];
export type DrillRequest = Schemas["DrillRequest"];
export type QuestionPacket = Schemas["QuestionPacket"];
export type PacketItem = Schemas["PacketItem"];
export type NumberedQuestion = Schemas["NumberedQuestion"];
export type Question = Schemas["QuestionShown"];
export type Verdict = Schemas["Verdict"];
export type Hint = Schemas["Hint"];
export type Progress = Schemas["Progress"];
export type TableTests = Schemas["TableTests"];
export type TestProgress = Schemas["TestProgress"];
export type Certificate = Schemas["Certificate"];
export type AnsweredQuestion = Schemas["AnsweredQuestion"];
export type CertificateSummary = Schemas["CertificateSummary"];
export type ClassProgress = Schemas["ClassProgress"];

export type NightAt = `/api/nights/${string}`;
export type TournamentAt = `${NightAt}/tournaments/${string}`;
