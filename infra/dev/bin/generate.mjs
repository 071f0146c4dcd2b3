// npm run generate: writes what the docs take from the contracts; specs hold the two against each other.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { bootstrap, root, stage } from './bootstrap.mjs';

await bootstrap('libs/events');
const { eventTypes } = await import('../../../libs/contracts/dist/index.js');
const { asyncApi, catalogueTable } = await import('../../../libs/events/dist/index.js');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

await stage('docs/asyncapi.json', () =>
  write('docs/asyncapi.json', JSON.stringify(asyncApi(eventTypes, version))),
);
await stage('docs/events.md', async () => {
  const page = await readFile(join(root, 'docs/events.md'), 'utf8');
  const table = /(<!-- event types: [^>]*-->\n)[^]*?(\n<!-- end -->)/;
  if (!table.test(page)) throw new Error('docs/events.md has lost the place of its table.');
  await write('docs/events.md', page.replace(table, `$1\n${catalogueTable(eventTypes)}\n$2`));
});

async function write(path, text) {
  const file = join(root, path);
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}
