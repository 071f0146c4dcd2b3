// House rules. Prettier checks the format, dependency-cruiser the imports between packages.
import tseslint from 'typescript-eslint';
import { prose } from './tools/lint/prose.mjs';

const ts = ['**/*.ts'];
const specs = ['**/*.spec.ts'];
// An example has to run without a config file.
const readsEnv = ['**/*.config.ts', 'examples/**/*.ts'];

const noDefaultExports = {
  selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
  message: 'Export by name: a default export is renamed at every import.',
};
// Exempt: constructors (Nest injects their parameters by type) and callbacks (their caller sets the parameters).
const manyParameters = {
  selector: [
    'FunctionDeclaration[params.length>3]',
    ':not(CallExpression) > ArrowFunctionExpression[params.length>3]',
    'MethodDefinition[kind!="constructor"] > FunctionExpression[params.length>3]',
  ].join(','),
  message: 'Take an object instead of more than three parameters.',
};
const noEnv = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: "Only an app's *.config.ts reads the environment; take the value as an argument.",
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.data/**',
      '.cache/**',
      '.turbo/**',
      'coverage/**',
      'libs/client-types/src/database.ts',
    ],
  },
  {
    files: ts,
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      // Skips files with decorators: Nest reads constructor types at run time.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      complexity: ['error', 10],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExports, manyParameters, noEnv],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{ts,mjs,cjs}'],
    ignores: ['tools/lint/**', 'tools/checks/src/docs/wording.spec.ts'],
    plugins: { prose },
    rules: { 'prose/plain-english': 'error', 'prose/own-words': 'error' },
  },
  {
    files: ['libs/**/*.ts', 'apps/**/*.ts'],
    ignores: [
      ...specs,
      'libs/log/src/connections.ts',
      'libs/testing/**',
      'apps/operator/**',
      '**/testing/**',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: 'pg',
          importNames: ['Client', 'Pool'],
          allowTypeImports: true,
          message:
            'openClient and makePool make connections: an error of one without a listener ends the process.',
        },
      ],
    },
  },
  { files: readsEnv, rules: { 'no-restricted-syntax': ['error', noDefaultExports, manyParameters] } },
  {
    // Commands print to a terminal.
    files: ['apps/operator/src/**/*.ts', 'tools/*/src/**/*.ts', 'examples/**/*.ts', '**/migrate.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: specs,
    rules: {
      complexity: 'off',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': 'off',
    },
  },
);
