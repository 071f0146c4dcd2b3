// What others may build on: the stack that `npm start`, `npm test` and `npm run bench` run.
export const DEFAULT_PORT = 8000;
