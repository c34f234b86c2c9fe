/** Texts that stand in one list and not, or less often, in the other. */
export function textDifference(
  seen: readonly string[],
  expected: readonly string[],
): { readonly more: readonly string[]; readonly missing: readonly string[] } {
  return { more: without(seen, expected), missing: without(expected, seen) }
}

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const text of others) counts.set(text, (counts.get(text) ?? 0) + 1)
  return texts.filter((text) => {
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count <= 0
  })
}
