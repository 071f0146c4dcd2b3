// npm run log -- verify [SERVICE] | erase-practice THERAPIST_ID [--yes] | restored: commands on the logs of the services.
import { runProgram, type ServerAccess } from '../programs/commands.js';
import { messageOf } from '@practice/process';
import { Failure } from '../common/failure.js';
import { storedServices } from '../settings/services.js';

const USAGE = 'Usage: npm run log -- verify [SERVICE] | erase-practice THERAPIST_ID [--yes] | restored';

const identity = { name: 'identity', answers: true };

const BROKEN = 1;
const NOT_CHECKED = 2;

export interface Manner {
  readonly access: ServerAccess;
  /** Receives the result for each service. */
  readonly note: (service: string, isIntact: boolean) => void;
  /** Begins an epoch in every log. */
  readonly beginEpochs: () => Promise<void>;
}

/**
 * `verify [SERVICE]`: sets the exit code to 0 (intact), 1 (broken) or 2 (could not check). `erase-practice THERAPIST_ID [--yes]`: to 0
 * (erased), 1 (an unknown practice, or not confirmed) or 2 (could not). `restored`: to 0, or 2 if the system runs or it fails.
 */
export async function log(args: readonly string[], { access, note, beginEpochs }: Manner): Promise<void> {
  try {
    const [verb, ...others] = args;
    if (verb === 'erase-practice') {
      process.exitCode = await access((servers) =>
        runProgram({ service: identity, program: verb, args: others }, servers),
      );
      return;
    }
    if (verb === 'restored') {
      if (others.length > 0)
        throw new Failure(`restored has no arguments, not ${others.join(', ')}.\n${USAGE}`);
      await beginEpochs();
      return;
    }
    const wanted = servicesOf(args);
    process.exitCode = await access(async (servers) => {
      const codes: number[] = [];
      for (const service of wanted) {
        const code = await runProgram({ service, program: 'verify', args: [] }, servers);
        note(service.name, code === 0);
        codes.push(code);
      }
      return worstOf(codes);
    });
  } catch (error) {
    process.stderr.write(`${error instanceof Failure ? error.message : messageOf(error)}\n`);
    process.exitCode = NOT_CHECKED;
  }
}

function servicesOf([verb = '', name, ...others]: readonly string[]) {
  if (verb !== 'verify' || others.length > 0) throw new Failure(`There is no command ${verb}.\n${USAGE}`);
  const wanted = storedServices.filter((service) => name === undefined || service.name === name);
  if (wanted.length > 0) return wanted;
  const names = storedServices.map((service) => service.name).join(', ');
  throw new Failure(`There is no service ${name ?? ''} with a log: there are ${names}.\n${USAGE}`);
}

/** A broken log is certain, whatever could not be checked. */
const worstOf = (codes: readonly number[]): number =>
  codes.includes(BROKEN) ? BROKEN : codes.every((code) => code === 0) ? 0 : NOT_CHECKED;
