// `npm run drill -- NAME …`: each drill starts its servers on free ports, in a temporary folder, and removes everything again.
import { say, textOf } from '@practice/operator';
import { compose } from './compose.js';
import { deploy } from './deploy/deploy.js';
import { runDrill, type Outcome } from './kit/drill.js';
import { pgbouncer } from './pgbouncer.js';
import { servers } from './servers.js';

const all = [servers, pgbouncer, deploy, compose];

/** Runs the drills of these names, one after the other; without names, lists them. */
export async function drills(names: readonly string[]): Promise<void> {
  const wanted = names.includes('all') ? all : all.filter(({ name }) => names.includes(name));
  if (wanted.length < Math.max(1, names.length)) {
    say('Usage: npm run drill -- NAME … | all\n');
    for (const { name, title } of all) say(`  ${name.padEnd(12)} ${title}`);
    process.exitCode = names.length === 0 ? 0 : 1;
    return;
  }
  for (const drill of wanted) {
    say(`${drill.name}: ${drill.title}`);
    const outcome = await runDrill(drill, say).catch((error: unknown): Outcome => {
      say(`  ${textOf(error)}`);
      return { passed: 0, failed: 1 };
    });
    if ('skipped' in outcome) say(`${drill.name}: skipped: ${outcome.skipped}\n`);
    else say(`${drill.name}: ${outcome.passed} checks passed, ${outcome.failed} failed\n`);
    if ('failed' in outcome && outcome.failed > 0) process.exitCode = 1;
  }
}
