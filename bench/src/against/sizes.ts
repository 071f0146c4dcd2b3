import { scenarios } from '../scenario.js';
import type { Sizes } from '../sizes.js';

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
  pacedRounds: 5,
  pacedSeconds: 2,
  pgbenchSeconds: 0,
  pgbenchRounds: 0,
  changedPerConnection: 12,
};

/** A look, in less than three minutes once the other version is built. */
export const quickComparison: Sizes = {
  ...fullComparison,
  practices: 16,
  appointmentsPerPractice: 200,
  practicesWithRecords: 8,
  rounds: 3,
  warmupSeconds: 0.2,
  seconds: 0.5,
  pacedRounds: 1,
  pacedSeconds: 0.6,
  changedPerConnection: 8,
};
