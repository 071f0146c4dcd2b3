// npm run migration -- SERVICE NAME: writes the migration that a service's changed definitions ask for.
import { bootstrap } from '../../build/bootstrap.mjs';

await bootstrap();
const { writeMigration } = await import('../dist/commands/commands.js');
await writeMigration(process.argv.slice(2));
