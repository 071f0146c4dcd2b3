export { bench } from './bench.js';
