/** What comments above the values of a chart say, by the paths of the values: `service.port`. */
export function valueComments(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const path: { readonly indent: number; readonly key: string }[] = []
  let comment: string[] = []
  for (const line of text.split('\n')) {
    const [, said] = /^\s*#+\s?(.*)$/.exec(line) ?? []
    const [, spaces = '', key] = /^( *)([\w.-]+):(?:\s|$)/.exec(line) ?? []
    if (said !== undefined) comment.push(said)
    else if (key === undefined) comment = []
    else {
      while ((path.at(-1)?.indent ?? -1) >= spaces.length) path.pop()
      path.push({ indent: spaces.length, key })
      const words = describe(comment)
      if (words !== '') found.set(path.map((step) => step.key).join('.'), words)
      comment = []
    }
  }
  return found
}

/** Helm's tools mark descriptions by `--` or `@param name`; values that are commented out describe nothing. */
function describe(lines: readonly string[]): string {
  const marked = lines.findLastIndex((line) => line.startsWith('-- '))
  const used = marked < 0 ? lines : lines.slice(marked)
  const words = used.filter((line) => !/^@(?!param)|^[\w.-]+:(\s|$)|^\s*-\s|^[-=#]*$/.test(line))
  return words
    .map((line) => line.replace(/^-- (\([^)]*\) )?/, '').replace(/^@param \S+ (\[[^\]]*\] )?/, ''))
    .join(' ')
    .trim()
}
