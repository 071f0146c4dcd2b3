import { readRelayUrl } from './command.config.js';
import { say } from './output.js';
import { progressBar } from './progress-bar.js';
import { verifyLogs } from '../verify/verify-logs.js';

/** The exit codes of the verify command. */
const INTACT = 0;
const BROKEN = 1;
const NOT_CHECKED = 2;

/** Runs the verify command of a service: it checks the logs of all practices and sets one of the exit codes. */
export async function runVerify(service: string, args: readonly string[]): Promise<void> {
  process.exitCode = await verify(service, args);
}

async function verify(service: string, args: readonly string[]): Promise<number> {
  const bar = progressBar(process.stderr);
  try {
    if (args.length > 0) throw new Error(`unknown argument ${args.join(' ')}`);
    const { practices, events, broken } = await verifyLogs({
      service,
      url: readRelayUrl(),
      onProgress: (folded, all) => bar.show({ folded, all }),
    });
    bar.clear();
    for (const { therapistId, position } of broken)
      say(`${service}: the log of practice ${therapistId} is broken at position ${position}`);
    const outcome = broken.length === 0 ? 'intact' : `${broken.length} broken`;
    say(`${service}: checked ${events} events of ${practices} practices: ${outcome}`);
    return broken.length === 0 ? INTACT : BROKEN;
  } catch (error) {
    bar.clear();
    process.stderr.write(`${service}: could not check the log: ${(error as Error).message}\n`);
    return NOT_CHECKED;
  }
}
