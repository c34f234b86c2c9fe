import { BUILTIN_FUNCTIONS } from '../../src/engine/expression/builtins/builtin-functions.ts'
import { REFUSED_FUNCTIONS } from '../../src/engine/expression/function-table.ts'
import { ROLE_FUNCTIONS } from '../../src/engine/role/functions/functions.ts'

const NOTATION =
  'Signatures are in the [notation of JSONata](https://docs.jsonata.org/embedding-extending#function-signature-syntax): `s` text, `n` number, ' +
  '`b` boolean, `a` list, `o` map, `x` any value; `?` may be left out; after the colon the result. A function whose first argument is nothing yields nothing.'

/** The reference page of the functions of expressions: all of it comes from the function tables. */
export function functionsPage(): string {
  const own = [...ROLE_FUNCTIONS.values()].map(({ name, signature, doc, example }) =>
    [`## \`$${name}\``, doc, `Signature \`${signature}\`. This is true:`, `\`\`\`\n${example}\n\`\`\``].join('\n\n'),
  )
  const refused = [...REFUSED_FUNCTIONS].map(([name, why]) => `| \`$${name}\` | ${why} |`)
  const builtins = BUILTIN_FUNCTIONS.map(({ name }) => `\`$${name}\``).filter(
    (name) => !REFUSED_FUNCTIONS.has(name.slice(2, -1)),
  )
  return [
    '# Functions',
    `What expressions can call besides [JSONata's own functions](#functions-of-jsonata). ${NOTATION}`,
    ...own,
    '## Functions of JSONata',
    `As the [documentation of JSONata](https://docs.jsonata.org) has them: ${builtins.sort().join(', ')}.`,
    'These are refused:',
    ['| Function | Why |', '| --- | --- |', ...refused].join('\n'),
  ].join('\n\n')
}
