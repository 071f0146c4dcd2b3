import { messageOf } from '@practice/process';
import { machineEnvironment, run } from '@practice/operator';
import type { Stack } from '@practice/start';
import type { Drilling } from './drill.js';

/** Records and their embeds, bookings at the same time, series, undo and exports. None of these specs damages existing data. */
const SPECS = [
  'apps/gateway/test/supabase',
  'apps/identity/test/exports',
  'apps/scheduling/src/double-booking',
  'apps/scheduling/src/series/change-series',
  'libs/write/src/undo/undo.e2e',
];

/** Runs end-to-end specs of the API on the system of a drill. @param when follows the title of the check */
export async function runSpecs(
  { coordinates }: Stack,
  check: Drilling['check'],
  when: string,
): Promise<void> {
  const args = ['run', '--silent', 'jest', '--', ...SPECS, '--selectProjects', 'stack'];
  const env = { ...machineEnvironment(), PRACTICE_STACK: JSON.stringify(coordinates) };
  const failure = await run('npm', args, { env }).then(() => undefined, messageOf);
  check(`the specs of the API pass ${when}`, failure === undefined, failure);
}
