/** No expression begins so, whatever the name. */
const SHELL = /^(?:[A-Za-z_]\w*(?::[-=?+]|##?(?!\$)|%%|\^\^?|,,?$|\[[@*]\])|#[A-Za-z_]\w*|[@*?#!$-]$)/
/** What stands behind a name of capitals would be an operator of an expression otherwise. */
const SHELL_OF_CAPITALS = /^!?[A-Z_][A-Z0-9_]*(?:$|[-+?=%/:[])/

/** A `${ … }` of a shell with which a text begins, such as `${HOST:-localhost}`, up to its brace. `undefined`: it is none. */
export function shellVariable(text: string): string | undefined {
  const inner = innerOf(text)
  const isShell = inner !== undefined && (SHELL.test(inner) || SHELL_OF_CAPITALS.test(inner))
  return isShell ? `\${${inner}}` : undefined
}

/** Between the braces, which a shell counts without regard to quotes. */
function innerOf(text: string): string | undefined {
  const [line = ''] = text.split('\n')
  let depth = 0
  for (let at = 1; at < line.length && line.startsWith('${'); at += 1) {
    if (line[at] === '{') depth += 1
    if (line[at] === '}') depth -= 1
    if (depth === 0) return line.slice(2, at)
  }
  return undefined
}
