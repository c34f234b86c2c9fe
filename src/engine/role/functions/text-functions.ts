import type { ExpressionFunction, FunctionTable } from '../../expression/function-table.ts'
import { type RoleTexts, readsOf, renderText } from './role-texts.ts'

/** The functions that give texts of a role. `functions` are all that the role has, these included. */
export function textFunctions(texts: RoleTexts, functions: FunctionTable): readonly ExpressionFunction[] {
  return [
    {
      name: 'file',
      signature: '<s:s>',
      doc: 'The text of a file in `files/` of the role, as it is. The path stands in the source.',
      example: '$file("motd.txt") = "Hello ${metadata.name}\\n"',
      run: (_call, [path]) => texts.find(String(path)).source?.text,
      reads: () => ({ variables: new Set(), inputPaths: [] }),
    },
    {
      name: 'template',
      signature: '<s:s>',
      doc: 'The text of a file in `files/` of the role, with its `${ }` filled in as in a text of the task.',
      example: '$template("motd.txt") = "Hello " & metadata.name & "\\n"',
      run: (call, [path]) => renderText(texts.template(String(path), functions), call),
      reads: (path) => readsOf(texts.template(path, functions)),
    },
  ]
}
