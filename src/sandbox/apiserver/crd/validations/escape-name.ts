/** A property's name as an identifier of CEL: `__dot__` for a dot, `__namespace__` for a reserved word. */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined
  if (RESERVED.has(name)) return `__${name}__`
  return name.replace(/__|[-./]/g, (part) => ESCAPES[part] as string)
}

const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '-': '__dash__',
  '.': '__dot__',
  '/': '__slash__',
}

const RESERVED = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
])
