// The tools of specs with a stack (`libs/testing/src/tools.ts`), as `stack-environment.mjs` provides them.
import { join } from 'node:path';
import { freePort, projectFolder, readSettings } from '@practice/operator';
import {
  readTargets,
  runningStack,
  startRedis,
  startStack,
  startStandby,
  templateFolder,
  wireTo,
  withoutLimits,
} from '@practice/start';
import type { StackTools } from '@practice/testing';

export const stackTools: StackTools = {
  runningStack,
  templateFolder,
  startStack: ({ settings, ...options }) =>
    startStack({ ...options, settings: { ...readSettings({}), ...withoutLimits, PORT: 0, ...settings } }),
  commandsFile: join(projectFolder, 'tools', 'start', 'dist', 'commands', 'commands.js'),
  startRedis,
  startStandby,
  wireTo,
  freePort,
  readTargets,
};
