// `npm start`, once everything is built.
import { setTimeout as pause } from 'node:timers/promises';
import { readSettings, say, stagesShownBy, stopRequests, textOf } from '@practice/operator';
import { runsUnderNpm } from './npm.config.js';
import { clearData } from './fresh.js';
import { startStack, type Stack } from '../stack/stack.js';
import { welcome, type Login } from '../stack/welcome.js';

export interface StartFlags {
  /** Adds the demo practice. */
  readonly seed: boolean;
  /** Deletes all data first. */
  readonly fresh: boolean;
  /** Does not ask before deleting. */
  readonly yes: boolean;
}

/** Runs everything until a signal asks to stop. Failures are shown as one message, with exit status 1. */
export async function start(flags: StartFlags): Promise<void> {
  const stopping = stopRequests();
  // A shell between npm and this process does not pass on signals, so its end counts as the request to stop.
  const parent = process.ppid;
  const timer = setInterval(() => process.ppid !== parent && stopping.abort(), 500).unref();
  if (!runsUnderNpm()) clearInterval(timer);
  try {
    const settings = readSettings();
    if (flags.fresh) await clearData(settings, flags.yes);
    const stack = await startStack({ settings, print: say, signal: stopping.signal });
    await serve(stack, flags, stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) return say('\nStopped before everything was up.');
    process.stderr.write(`\n${textOf(error)}\n`);
    process.exitCode = 1;
  } finally {
    clearInterval(timer);
  }
}

async function serve(stack: Stack, { seed }: StartFlags, signal: AbortSignal): Promise<void> {
  try {
    const login = seed ? await addDemo(stack) : undefined;
    say(welcome(stack, login));
    await untilAborted(signal);
  } finally {
    const began = performance.now();
    say('\nStopping: requests under way are finished first …');
    await stack.stop();
    say(`Stopped in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  }
}

/** Loads the generator of the demo practice only when it is wanted. */
async function addDemo(stack: Stack): Promise<Login> {
  const { seedDemo } = await import('../seed/seed.js');
  return seedDemo(stack, stagesShownBy(say));
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  const longest = 2 ** 31 - 1;
  while (!signal.aborted) await pause(longest, undefined, { signal }).catch(() => undefined);
}
