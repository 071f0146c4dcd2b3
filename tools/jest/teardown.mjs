import { rmSync } from 'node:fs';

export default async function teardown() {
  const stack = globalThis.practiceStack;
  if (stack === undefined) return;
  await stack.stop();
  for (const folder of globalThis.practiceFolders) rmSync(folder, { recursive: true, force: true });
}
