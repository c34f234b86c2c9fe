import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { functionsPage } from './functions-page.ts'
import { modifiersPage } from './modifiers-page.ts'
import { taskKindPage } from './task-kind-page.ts'

/** The pages of `docs/reference/`, by path. */
export function referencePages(): Readonly<Record<string, string>> {
  const pages = {
    README: indexPage(),
    functions: functionsPage(),
    modifiers: modifiersPage(builtinTaskKinds),
    ...Object.fromEntries(builtinTaskKinds.map((kind) => [kind.name, taskKindPage(kind)])),
  }
  return Object.fromEntries(Object.entries(pages).map(([name, text]) => [`docs/reference/${name}.md`, `${text}\n`]))
}

function indexPage(): string {
  const rows = builtinTaskKinds.map(({ name, doc }) => `| [\`${name}\`](${name}.md) | ${doc} |`)
  return [
    '# Reference',
    'Made by `npm run generate` from the code that runs: the schemas that roles are checked with, and examples that are checked, too.',
    ['| Kind of task | |', '| --- | --- |', ...rows].join('\n'),
    'Beside a kind stand [modifiers](modifiers.md); expressions call [functions](functions.md). [The role language](../role-language.md) says how it all works together.',
  ].join('\n\n')
}
