// npm run keys -- list | rotate [--in SECONDS] | withdraw KID | rotate-secrets | rotate-personal [SERVICE]: keys that sign access
// tokens, and keys that seal secrets and the keys of clients.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap();
const { keys } = await import('../dist/commands/commands.js');
await keys(process.argv.slice(2));
