/** A text without its mark `«`, and where the mark was as `line:column`. */
export function markedText(text: string): { readonly text: string; readonly place: string } {
  const before = text.slice(0, text.indexOf('«')).split('\n')
  return { text: text.replace('«', ''), place: `${before.length}:${(before.at(-1) as string).length + 1}` }
}
