/** One case of a file of cases: a heading, the broken file as a block of `yaml`, what is printed of it as a block of `text`. */
export interface WrittenCase {
  readonly name: string
  readonly input: string
  /** Not there in a case that is new. */
  readonly expected: string | undefined
}

const LINES = '((?:[^\\n]*\\n)*?)'
const CASE = new RegExp(`^## (.+)\\n\\n\`\`\`yaml\\n${LINES}\`\`\`\\n(?:\\n\`\`\`text\\n${LINES}\`\`\`\\n)?`, 'gm')

/** The cases of a file. Throws when a part of it is no case: a typing error must not lose one. */
export function parseCases(text: string): readonly WrittenCase[] {
  const [stray] = /^(?:##|```).*/m.exec(text.replace(CASE, '')) ?? []
  if (stray !== undefined)
    throw new Error(`cannot read "${stray}": a case is a heading, a block of yaml, a block of text`)
  const cases = [...text.matchAll(CASE)].map(([, name = '', input = '', expected]) => ({ name, input, expected }))
  const twice = cases.find(({ name }, at) => cases.findIndex((one) => one.name === name) !== at)
  if (twice) throw new Error(`cannot read "## ${twice.name}": two cases have this name`)
  return cases
}

/** The text of the file with other expectations, by the name of their case; every other byte stays. */
export function withExpectations(text: string, expected: ReadonlyMap<string, string>): string {
  return text.replace(CASE, (all, name: string, input: string) => {
    const printed = expected.get(name)
    return printed === undefined ? all : `## ${name}\n\n\`\`\`yaml\n${input}\`\`\`\n\n\`\`\`text\n${printed}\`\`\`\n`
  })
}
