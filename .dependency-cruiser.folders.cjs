// The folders of a package import each other in one direction: no folder imports, directly or through others, one that imports it.
// Separate from the other rules, as specs and their helpers are excluded here: they may import any file of their package.

const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '(^|/)(dist|testing|test)/|\\.spec\\.ts$' } },
};
