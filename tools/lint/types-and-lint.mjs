// Types and lint in one process: rules that need types ask the checker that the compiler has used, so each type is computed once.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');
const shown = {
  getCurrentDirectory: () => root,
  getCanonicalFileName: (name) => name,
  getNewLine: () => '\n',
};

const builder = incrementalProgram(join(root, 'tsconfig.json'));
const program = builder.getProgram();
const errors = [
  ...program.getConfigFileParsingDiagnostics(),
  ...builder.getOptionsDiagnostics(),
  ...builder.getGlobalDiagnostics(),
  ...builder.getSyntacticDiagnostics(),
  ...builder.getSemanticDiagnostics(),
];
// Writes only the build info, with which the next run checks fewer files.
builder.emit();
if (errors.length > 0) fail(ts.formatDiagnostics(errors, shown));

const eslint = new ESLint({
  cwd: root,
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { programs: [program] } } },
});
const results = await eslint.lintFiles('.');
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
if (!isClean) fail(await (await eslint.loadFormatter('stylish')).format(results));

function incrementalProgram(configFile) {
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(configFile, undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (error) => fail(ts.formatDiagnostic(error, shown)),
  });
  return ts.createIncrementalProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors });
}

/** @returns {never} */
function fail(text) {
  writeSync(process.stderr.fd, text);
  process.exit(1);
}
