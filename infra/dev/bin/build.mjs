// npm run build: installs what is missing and compiles what has changed.
import { bootstrap } from './bootstrap.mjs';

await bootstrap();
