// npm run keys -- list | rotate [--in SECONDS]: the keys that access tokens are signed with.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
const { keys } = await import('../dist/commands.js');
await keys(process.argv.slice(2));
