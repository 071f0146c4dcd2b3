// npm run pictures [-- --draw]: draws the graphs of the dashboards from a run of its own, or again from the last one, into docs/pictures.
import { bootstrap } from './bootstrap.mjs';

await bootstrap({ tools: true });
const { pictures } = await import('../../../chaos/dist/index.js');
await pictures(process.argv.slice(2));
