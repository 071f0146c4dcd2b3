// Compiles changed sources, and prints the number of files.
import { compile } from './build.mjs';

try {
  process.stdout.write(String(await compile()));
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
