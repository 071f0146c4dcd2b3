import type { Stack } from '../stack.js';
import type { Login } from '../welcome.js';

export async function seedDemo(_stack: Stack, _say: (line: string) => void): Promise<Login> {
  throw new Error('not yet');
}
