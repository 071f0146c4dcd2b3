import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../settings/operator.config.js';
import { runStep } from './container-steps.js';
import { Failure } from '../common/failure.js';

/** The other steps need Postgres or NATS, so they run in the cluster. */
const STEPS: readonly string[] = ['secrets', 'user'];

/**
 * Runs a step of containers in the folder `secrets` of an overlay, with its settings. Variables of the environment take precedence.
 * @throws {Failure} for another step
 */
export async function inOverlay(
  overlay: string,
  [name = 'secrets', ...args]: readonly string[],
): Promise<void> {
  if (!STEPS.includes(name)) throw new Failure(`Usage: npm run kubernetes -- OVERLAY [${STEPS.join('|')}]`);
  loadSettings(join(overlay, 'settings.env'), { PLACE: 'kubernetes', NODE_ENV: 'production' });
  const folder = join(overlay, 'secrets');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await runStep(folder, [name, ...args]);
}
