// One of several starts at the same moment, on a slow disk: claims the folder of each message, and answers whether it has the claim.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const LONGEST_MS = 4;
const never = new Int32Array(new SharedArrayBuffer(4));
for (const name of ['renameSync', 'linkSync', 'readFileSync', 'rmSync']) {
  const original = fs[name];
  fs[name] = (path, ...more) => {
    const result = original(path, ...more);
    if (String(path).includes('supervisor.json')) Atomics.wait(never, 0, 0, Math.random() * LONGEST_MS);
    return result;
  };
}
syncBuiltinESMExports();
const { claim } = await import('../../../dist/processes/claim.js');

process.on('message', (folder) =>
  claim(folder).then(
    () => process.send('claimed'),
    ({ message }) => process.send(message),
  ),
);
process.send('ready');
