// Lint rules that oxlint does not have.

const message = 'Take an object instead of more than three parameters.';
// Exempt: constructors (Nest injects their parameters by type) and callbacks (their caller sets the parameters).
const manyParameters = [
  'FunctionDeclaration[params.length>3]',
  ':not(CallExpression) > ArrowFunctionExpression[params.length>3]',
  'MethodDefinition[kind!="constructor"] > FunctionExpression[params.length>3]',
].join(',');

const fewParameters = {
  meta: { type: 'suggestion', schema: [], messages: { parameters: message } },
  create: (context) => ({
    [manyParameters]: (node) => context.report({ node, messageId: 'parameters' }),
  }),
};

const typeImports = {
  meta: { type: 'suggestion', schema: [], messages: { type: 'Import with `type`: {{names}}.' } },
  create(context) {
    const imports = [];
    let hasDecorators = false;
    return {
      // In a file with decorators, Nest reads the types of parameters at run time.
      Decorator: () => (hasDecorators = true),
      ImportDeclaration: (node) => node.importKind !== 'type' && imports.push(node),
      'Program:exit'() {
        if (!hasDecorators) for (const node of imports) check(context, node);
      },
    };
  },
};

function check(context, node) {
  const names = node.specifiers
    .filter(({ importKind }) => importKind !== 'type')
    .map((specifier) => context.sourceCode.getDeclaredVariables(specifier)[0])
    .filter((variable) => variable?.references.length > 0 && variable.references.every(isType))
    .map(({ name }) => name);
  if (names.length > 0) context.report({ node, messageId: 'type', data: { names: names.join(', ') } });
}

/** Whether a reference needs no value at run time. `typeof value` in a type needs none either. */
const isType = (reference) =>
  !reference.isValueReference || reference.identifier.parent?.type === 'TSTypeQuery';

export default {
  meta: { name: 'house' },
  rules: { 'few-parameters': fewParameters, 'type-imports': typeImports },
};
