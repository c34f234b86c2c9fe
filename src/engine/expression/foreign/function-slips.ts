import { argumentsIn, rewrittenCall } from './foreign-functions.ts'
import type { SlipRule } from './slip.ts'

const ARGUMENTS = String.raw`\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)`
/** What stands before a method: a path that ends before its last dot. */
const OBJECT = String.raw`((?:\$?\w+(?:\[[^\[\]]*\])?)(?:\.\w+(?:\[[^\[\]]*\])?)*?)`

/** Names of other languages for the number of items, and of the letters of a text. */
const SIZES: ReadonlySet<string> = new Set(['size', 'len', 'length'])

function lengthOf(name: string, value: string): string | undefined {
  return SIZES.has(name) ? `the length of a text is \`$length(${value})\`` : undefined
}

export const FUNCTION_SLIPS: readonly SlipRule[] = [
  {
    pattern: /(?<![\w$.])(?:lookup|query)\s*\(\s*(?=["'])/,
    message: 'there are no lookups of Ansible',
    hint: 'read objects by `get` or `list`, a file of the role by `$file("…")`; what differs between clusters is in `vars` of watches.yaml',
  },
  {
    pattern: new RegExp(String.raw`(?<![\w$.])${OBJECT}\.(\w+)${ARGUMENTS}`),
    message: 'values have no methods: functions begin with `$`',
    rewrite: ([, value = '', name = '', given = '']) => rewrittenCall(name, value, argumentsIn(given)) ?? '',
    also: ([, value = '', name = '']) => lengthOf(name, value),
    hint: 'write a function: `$lowercase(x)`, `$contains(x, "a")`, `$count(list)`',
  },
  {
    pattern: new RegExp(String.raw`(?<![\w$.\`)\]])(?!(?:and|or|in|function)\b)([A-Za-z_]\w*)\s*${ARGUMENTS}`),
    message: 'functions begin with `$`',
    rewrite: ([, name = '', given = ''], functions) => {
      const [first = '', ...others] = argumentsIn(given)
      return rewrittenCall(name, first, others) ?? (functions.has(name) ? `$${name}(${given})` : '')
    },
    also: ([, name = '', given = '']) => lengthOf(name, given.trim()),
    hint: 'write `$count(list)`, `$exists(x)`: the reference lists all functions',
  },
]
