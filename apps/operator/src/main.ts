// The preparations for containers, and the commands that need an owner's role:
//   node main.js secrets       creates keys and passwords, and writes each container's own to its volume
//   node main.js prepare       roles, schemas, event stream and migrations, once the servers run
//   node main.js backup …    archives the log and makes base backups, or makes, lists or verifies them
//   node main.js restore …   puts a backup into the volumes
//   node main.js user …        adds, changes, revokes or lists NATS users of outside subscribers
//   node main.js keys …        lists, rotates or withdraws signing keys
//   node main.js rebuild …     rebuilds the read tables of a service, or checks them
//   node main.js republish …   publishes the events of a service again
//   node main.js events …     shows lags, and the events that a subscriber could not handle
//   node main.js log …         checks the hashes of the logs
import { runStep } from './containers/container-steps.js';
import { messageOf } from '@practice/process';

/** Folder with one volume per container. */
const VOLUMES = '/run/practice';

try {
  await runStep(VOLUMES, process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
