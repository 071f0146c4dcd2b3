// npm run released -- VERSION: stores the rows that this version writes, as a fixture that later versions must read.
import { bootstrap } from '../../build/bootstrap.mjs';

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  process.stderr.write('Usage: npm run released -- VERSION, such as 0.2.0\n');
  process.exit(2);
}
await bootstrap();
const { writeReleased } = await import('../dist/upgrade/write-released.js');
const file = await writeReleased(version, (line) => process.stdout.write(`${line}\n`));
process.stdout.write(`${file}\n`);
