import { appointmentScenarios, scenarios } from './scenario.js';
import type { Scenario } from './scenario.js';

/** How much is seeded and how long is measured. */
export interface Sizes {
  readonly practices: number;
  readonly appointmentsPerPractice: number;
  /** How many of the practices also have clients, notes, conversations and expenses. */
  readonly practicesWithRecords: number;
  /** The scenarios, in the order in which they are measured. */
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Connections that keep one request each under way. */
  readonly connections: number;
  /** How often half of the saturating load is measured, and how long each time. */
  readonly pacedRounds: number;
  readonly pacedSeconds: number;
  /** Whole seconds, for that is what pgbench takes. */
  readonly pgbenchSeconds: number;
  readonly pgbenchRounds: number;
  /** Different appointments that one connection changes in turn. */
  readonly changedPerConnection: number;
  /** The measurement with one flooding practice; left out if undefined. */
  readonly flood?: Flood;
}

export interface Flood {
  /** How many practices are calm, and what they ask together in a second. */
  readonly calm: number;
  readonly perSecond: number;
  /** Connections of the one that floods, each with one request under way. */
  readonly connections: number;
  readonly seconds: number;
}

export const fullSizes: Sizes = {
  practices: 200,
  appointmentsPerPractice: 500,
  practicesWithRecords: 40,
  scenarios,
  rounds: 3,
  warmupSeconds: 1,
  seconds: 3,
  connections: 64,
  pacedRounds: 3,
  pacedSeconds: 3,
  pgbenchSeconds: 2,
  pgbenchRounds: 3,
  changedPerConnection: 24,
  flood: { calm: 50, perSecond: 100, connections: 128, seconds: 6 },
};

export const quickSizes: Sizes = {
  practices: 10,
  appointmentsPerPractice: 128,
  practicesWithRecords: 0,
  scenarios: appointmentScenarios,
  rounds: 3,
  warmupSeconds: 0.2,
  seconds: 0.4,
  connections: 64,
  pacedRounds: 1,
  pacedSeconds: 0.5,
  pgbenchSeconds: 1,
  pgbenchRounds: 1,
  changedPerConnection: 4,
};

/** Appointments of one day. */
export const PER_DAY = 8;
/** Rows of the filtered list, of a client's notes, of the expenses, and of a search by name. */
export const LIST_ROWS = 50;
export const NOTE_ROWS = 50;
export const EXPENSE_ROWS = 100;
export const SEARCH_ROWS = 10;
/** Rows of the answer in CSV: all expenses. */
export const CSV_ROWS = 1000;
