// npm run generate: writes everything that is derived from the contracts. With --check, it names the first file that would change.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bootstrap, root, stage } from '../../build/bootstrap.mjs';
import { writeNewApps } from './new-apps.mjs';

const isCheck = process.argv.includes('--check');
await bootstrap({ tools: true });
const { formatted } = await import('./formatted.mjs');
const { catalog, definitions, eventTypes, functionsReference, functions, referenceOf, serviceNames } =
  await import('../../../libs/contracts/dist/index.js');
const { missingStreams } = await import('../../../libs/contracts/dist/released-events.js');
const { asyncApi, otherEvents } = await import('../../../libs/bus/dist/index.js');
const { databaseTypes, operatorsList } = await import('../../../libs/describe/dist/index.js');
const { metricsList } = await import('../../../libs/metrics/dist/index.js');
const {
  authorityWithServices,
  backupWithServices,
  composeWithServices,
  rulesManifest,
  scalingManifest,
  servicesManifest,
  settingsList,
} = await import('../dist/index.js');
const { errorsList } = await import('../../../libs/core/dist/index.js');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

await stage('apps', async () => {
  const written = isCheck ? [] : writeNewApps(serviceNames);
  return written.length === 0 ? undefined : `${written.join(', ')} written; npm install links them`;
});
await stage('libs/contracts/fixtures/events.jsonl', async () => {
  const file = join(root, 'libs/contracts/fixtures/events.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  const missing = missingStreams(
    definitions,
    lines.map((line) => JSON.parse(line)),
  );
  if (isCheck && missing.length > 0) throw new Error(outdated('libs/contracts/fixtures/events.jsonl'));
  await appendFile(file, missing.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return missing.length === 0 ? undefined : `${missing.length} events added`;
});
await stage('docs/asyncapi.json', () =>
  write('docs/asyncapi.json', JSON.stringify(asyncApi(eventTypes, version))),
);

// Pages that people write, each with a part that is generated: the name of its place in the page, and its text.
for (const [path, name, part] of [
  ['docs/events.md', 'event types', otherEvents(eventTypes)],
  ['docs/api/reading.md', 'operators', operatorsList()],
  ['docs/api/errors.md', 'error codes', errorsList()],
  ['docs/functions.md', 'functions', functionsReference([...functions.values()])],
  ['docs/metrics.md', 'metrics', metricsList()],
  ['README.md', 'settings', settingsList()],
])
  await stage(path, async () => {
    const page = await readFile(join(root, path), 'utf8');
    const place = new RegExp(`(<!-- ${name}: [^>]*-->\\n)[^]*?(\\n<!-- end -->)`);
    if (!place.test(page)) throw new Error(`${path} has lost the place of its ${name}.`);
    await write(
      path,
      page.replace(place, (_, before, after) => `${before}\n${part}\n${after}`),
    );
  });

await stage('docs/resources.md', async () => {
  let page = await readFile(join(root, 'docs/resources.md'), 'utf8');
  for (const resource of catalog.resources.values()) {
    const place = new RegExp(`(<!--${resource.name}-->\\n)[^]*?(\\n<!--end-->)`);
    // A new resource gets a section at the end of the page; move it and add prose as you like.
    if (!place.test(page)) page += `\n## ${resource.name}\n\n<!--${resource.name}-->\n\n<!--end-->\n`;
    page = page.replace(place, (_, before, after) => `${before}\n${referenceOf(resource)}\n${after}`);
  }
  await write('docs/resources.md', page);
});
await stage('libs/client-types/src/database.ts', () =>
  write('libs/client-types/src/database.ts', databaseTypes(catalog, [...functions.values()])),
);

for (const [path, withServices] of [
  ['docker-compose.yml', composeWithServices],
  ['infra/docker/own-authority.yml', authorityWithServices],
  ['infra/docker/backup.yml', backupWithServices],
])
  await stage(path, async () => write(path, withServices(await readFile(join(root, path), 'utf8'))));

await stage('infra/k8s', async () => {
  await write('infra/k8s/base/services.yaml', servicesManifest());
  await write('infra/k8s/production/scaling.yaml', scalingManifest());
  const rules = ['alerts.yml', 'alerts.kubernetes.yml'].map((file) =>
    readFile(join(root, 'infra/monitoring', file), 'utf8'),
  );
  await write('infra/k8s/monitoring/rules.yaml', rulesManifest(await Promise.all(rules)));
});

async function write(path, text) {
  const file = join(root, path);
  const wanted = await formatted(path, text);
  if (!isCheck) await writeFile(file, wanted);
  else if (wanted !== (await readFile(file, 'utf8'))) throw new Error(outdated(path));
}

function outdated(path) {
  return `${path} is not as npm run generate writes it.`;
}
