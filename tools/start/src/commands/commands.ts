// npm run keys, projections and migration: commands on the services of this machine.
import {
  command,
  Failure,
  keys as keysOn,
  named,
  rebuild as rebuildOn,
  republish as republishOn,
} from '@practice/operator';
import { withServers, withStoredData } from './access.js';

type Command = (args: readonly string[]) => Promise<void>;

export const keys: Command = (args) => keysOn(args, withStoredData);
export const rebuild: Command = (args) => rebuildOn(args, withStoredData);
export const republish: Command = (args) => republishOn(args, withStoredData);

/** `SERVICE NAME`, the name of the migration in camel case. */
export function writeMigration(args: readonly string[]): Promise<void> {
  const usage = 'Usage: npm run migration -- SERVICE nameOfTheMigration';
  return command({ usage, access: withServers }, () => {
    const [name, title = ''] = args;
    const service = named(name);
    if (!/^[a-z][A-Za-z0-9]+$/.test(title))
      throw new Failure('A migration needs a name such as addRoomToAppointments.');
    return { service, program: 'migrate', args: ['--write', title] };
  });
}
