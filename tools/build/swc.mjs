// How SWC compiles this tree, for the build and for Jest. SWC does not check types: `npm run types` does.

/** @type {import('@swc/core').Options} */
export const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};
