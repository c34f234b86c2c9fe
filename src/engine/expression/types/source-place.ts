/** Where a name stands in a source, from where it ends. A quoted one is longer than itself. */
export function nameAt(
  source: string,
  end: number,
  name: string,
): { readonly position: number; readonly length: number } {
  const quotes = /[`"']$/.test(source.slice(0, end)) ? 2 : 0
  const length = name.length + quotes
  return { position: Math.max(0, end - length), length }
}

/** A name as it is written in a path. */
export function writtenName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : `\`${name}\``
}
