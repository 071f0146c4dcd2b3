// npm run build: installs what is missing and compiles what has changed. With --tools, also for programs such as tsc.
import { bootstrap } from '../bootstrap.mjs';

await bootstrap({ tools: process.argv.includes('--tools') });
