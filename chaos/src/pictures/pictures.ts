// `npm run pictures`, once everything is built: a system of its own, scraped by a Prometheus under a load with faults; docs/pictures
// gets a picture of each row of each dashboard.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Missing, prometheusProgram, runDrill, startPrometheus, type Drill } from '@practice/dev';
import { carryOutPhases } from './phases.js';
import { draw, record, type Recording } from './recording.js';
import { openScene } from './scene.js';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'docs', 'pictures');
/** The values of the last run. */
const kept = join(root, '.cache', 'pictures.json');
/** Seconds between two scrapes, and between two points of a line. */
const [SCRAPE, STEP] = [2, 2];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Without arguments, runs for about five minutes and draws. `--draw` draws the values of the last run again. */
export async function pictures(args: readonly string[]): Promise<void> {
  if (args.join() === '--draw') return write(JSON.parse(readFileSync(kept, 'utf8')) as Recording);
  if (args.length > 0) {
    process.exitCode = 1;
    return say('Usage: npm run pictures [-- --draw]');
  }
  const outcome = await runDrill(run, say);
  if (!('skipped' in outcome)) return write(JSON.parse(readFileSync(kept, 'utf8')) as Recording);
  process.exitCode = 1;
  say(outcome.skipped);
}

const run: Drill = {
  name: 'pictures',
  title: 'graphs of the dashboards from a real run',
  run: async (drilling) => {
    const { atEnd, note } = drilling;
    if (prometheusProgram === undefined)
      throw new Missing('prometheus is not installed (apt-get install prometheus).');
    const scene = await openScene(drilling);
    const prometheus = await startPrometheus({
      ...{ program: prometheusProgram, dataDir: scene.stack.dataDir, every: SCRAPE },
      folder: join(drilling.folder, 'prometheus'),
    });
    atEnd(prometheus.stop);
    // Rates need some scrapes before the first point.
    await pause(8 * SCRAPE * 1000);
    const start = Math.floor(Date.now() / 1000);
    const phases = await carryOutPhases(scene, note);
    const span = { start, end: Math.floor(Date.now() / 1000), step: STEP, scrape: SCRAPE };
    writeFileSync(kept, JSON.stringify(await record(prometheus, { span, phases })));
  },
};

function write(recording: Recording): void {
  const { files, empty } = draw(recording);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of files) writeFileSync(join(folder, name), svg);
  say(`${files.size} pictures in docs/pictures`);
  for (const panel of empty) say(`  no data: ${panel}`);
}
