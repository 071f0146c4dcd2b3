// npm run bench | chaos | drill [-- ARGUMENTS]: installs and builds, and calls the function of the package tools/NAME with the same name.
import { bootstrap } from '../bootstrap.mjs';

const [name, ...args] = process.argv.slice(2);
await bootstrap({ tools: true });
const { [name]: run } = await import(`../../${name}/dist/index.js`);
await run(args);
