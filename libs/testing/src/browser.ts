import { existsSync } from 'node:fs';

/** The path of Chromium or Chrome; undefined if neither is installed. The Chromium that takes the least processor time is preferred. */
export const browserPath = (): string | undefined =>
  [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/snap/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ].find((path) => existsSync(path));

/** The title of a test that is skipped without a browser. */
export const NO_BROWSER = 'needs Chromium or Chrome, which is not installed (`.ci/run` installs it as root)';
