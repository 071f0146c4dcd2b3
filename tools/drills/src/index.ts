export { drills } from './commands.js';
