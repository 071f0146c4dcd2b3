// npm run migration -- SERVICE NAME: writes the migration that a service's changed definitions ask for.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
const { writeMigration } = await import('../dist/local/commands.js');
await writeMigration(process.argv.slice(2));
