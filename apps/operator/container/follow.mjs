// Loaded before an app of docker-compose.yml. When the settings in its volume change, the process finishes its running work and ends.
// Docker starts it again with the new settings.
import { watchFile } from 'node:fs';

watchFile('/run/practice/env', { interval: 1000, persistent: false }, () =>
  process.kill(process.pid, 'SIGTERM'),
);
