import type { Flags } from './flags.js';
import { appointmentScenarios, scenarios, type Scenario } from './scenario.js';

/** How much is seeded and how long is measured. */
export interface Sizes {
  readonly practices: number;
  readonly appointmentsPerPractice: number;
  /** How many of the practices also have clients, notes, conversations and expenses. */
  readonly practicesWithRecords: number;
  /** The scenarios, in the order in which they are measured. */
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
  /** Whole seconds, for that is what wrk takes. */
  readonly warmupSeconds: number;
  readonly seconds: number;
  /** Connections that keep one request each under way. */
  readonly connections: number;
  /** How often half of the saturating load is measured, and how long each time. */
  readonly pacedRounds: number;
  readonly pacedSeconds: number;
}

export const fullSizes: Sizes = {
  practices: 200,
  appointmentsPerPractice: 500,
  practicesWithRecords: 40,
  scenarios,
  rounds: 3,
  warmupSeconds: 1,
  seconds: 3,
  connections: 32,
  pacedRounds: 3,
  pacedSeconds: 3,
};

const short = { rounds: 2, seconds: 1, pacedRounds: 1, pacedSeconds: 0.6 };

export const quickSizes: Sizes = {
  ...fullSizes,
  ...short,
  practices: 10,
  appointmentsPerPractice: 200,
  practicesWithRecords: 0,
  scenarios: appointmentScenarios,
};

/** Many short rounds: the two versions are measured close together, and a disturbance meets few rounds. */
export const fullComparison: Sizes = {
  ...fullSizes,
  practices: 60,
  practicesWithRecords: 20,
  rounds: 8,
  seconds: 1,
  pacedRounds: 3,
  pacedSeconds: 2,
};

/** A look, in a few minutes once the other version is built. */
export const quickComparison: Sizes = {
  ...fullComparison,
  ...short,
  practices: 16,
  appointmentsPerPractice: 200,
  practicesWithRecords: 8,
};

/** With the numbers of the command line. */
export const sizesWith = ({ connections, rounds }: Flags, sizes: Sizes): Sizes => ({
  ...sizes,
  ...(connections && { connections }),
  ...(rounds && { rounds }),
});
