// npm run build: installs missing packages and compiles changed sources. With --tools, also installs programs such as tsc.
import { bootstrap } from '../bootstrap.mjs';

await bootstrap({ tools: process.argv.includes('--tools') });
