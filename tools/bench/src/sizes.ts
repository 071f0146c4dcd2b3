import type { Flags } from './flags.js';
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
  /** Different appointments that one connection changes in turn. */
  readonly changedPerConnection: number;
  /** Postgres by itself; left out if undefined. Whole seconds, for that is what pgbench takes. */
  readonly pgbench?: { readonly seconds: number; readonly rounds: number };
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
  changedPerConnection: 24,
  pacedRounds: 3,
  pacedSeconds: 3,
  pgbench: { seconds: 2, rounds: 3 },
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
  changedPerConnection: 4,
  pacedRounds: 1,
  pacedSeconds: 0.5,
  pgbench: { seconds: 1, rounds: 1 },
};

/** Many short rounds: the two versions are measured close together, and a disturbance meets few rounds. */
export const fullComparison: Sizes = {
  practices: 60,
  appointmentsPerPractice: 500,
  practicesWithRecords: 20,
  scenarios,
  rounds: 10,
  warmupSeconds: 0.5,
  seconds: 1.5,
  connections: 64,
  changedPerConnection: 12,
  pacedRounds: 5,
  pacedSeconds: 2,
};

/** A look, in less than three minutes once the other version is built. */
export const quickComparison: Sizes = {
  practices: 16,
  appointmentsPerPractice: 200,
  practicesWithRecords: 8,
  scenarios,
  rounds: 3,
  warmupSeconds: 0.2,
  seconds: 0.5,
  connections: 64,
  changedPerConnection: 8,
  pacedRounds: 1,
  pacedSeconds: 0.6,
};

/** With the numbers of the command line. */
export const sizesWith = ({ connections, rounds }: Flags, sizes: Sizes): Sizes => ({
  ...sizes,
  ...(connections && { connections }),
  ...(rounds && { rounds }),
});
