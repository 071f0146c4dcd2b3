// Golden files: output under review. `UPDATE_GOLDEN=1` writes them; the change is then reviewed with the commit.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';

export function expectGolden(name: string, text: string): void {
  const file = new URL(`../../golden/${name}`, import.meta.url);
  // oxlint-disable-next-line node/no-process-env -- a switch for the person who runs the spec
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : `golden/${name} does not exist`);
}
