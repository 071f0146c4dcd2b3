import { rmSync } from 'node:fs';

export default async function teardown() {
  const stack = globalThis.practiceStack;
  if (stack === undefined) return;
  await stack.stop();
  rmSync(stack.dataDir, { recursive: true, force: true });
}
