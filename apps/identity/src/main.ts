import { runService } from '@practice/service';
import { identity } from './identity.js';

const [command, ...args] = process.argv.slice(2);
if (command === 'keys') {
  const { keys } = await import('./keys.js');
  await keys(args);
} else {
  await runService(identity, import.meta.url);
}
