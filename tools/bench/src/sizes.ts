import type { Flags } from './flags.js';
import { appointmentScenarios, scenarios } from './scenario.js';

/** How much is seeded and how long is measured. */
export const fullSizes = {
  practices: 200,
  appointmentsPerPractice: 500,
  /** How many of the practices also have clients, notes, conversations and expenses. */
  practicesWithRecords: 40,
  /** In the order in which they are measured. */
  scenarios,
  rounds: 3,
  /** In whole seconds, as wrk requires. */
  warmupSeconds: 1,
  seconds: 3,
  /** Connections, each with one request in flight. */
  connections: 32,
  /** How often half of the saturating load is measured, and how long each time. */
  pacedRounds: 3,
  pacedSeconds: 3,
};

export type Sizes = Readonly<typeof fullSizes>;

const short = { rounds: 2, seconds: 1, pacedRounds: 1, pacedSeconds: 0.6 };

export const quickSizes: Sizes = {
  ...fullSizes,
  ...short,
  practices: 10,
  appointmentsPerPractice: 200,
  practicesWithRecords: 0,
  scenarios: appointmentScenarios,
};

/** Many short rounds: the two versions are measured close together, and a disturbance affects few rounds. */
export const fullComparison: Sizes = {
  ...fullSizes,
  practices: 60,
  practicesWithRecords: 20,
  rounds: 8,
  seconds: 1,
  pacedSeconds: 2,
};

/** A rough comparison, which takes a few minutes once the other version is built. */
export const quickComparison: Sizes = {
  ...fullComparison,
  ...short,
  practices: 16,
  appointmentsPerPractice: 200,
  practicesWithRecords: 8,
};

/** The sizes, with the numbers of the command line. */
export const sizesWith = ({ connections, rounds }: Flags, sizes: Sizes): Sizes => ({
  ...sizes,
  ...(connections && { connections }),
  ...(rounds && { rounds }),
});
