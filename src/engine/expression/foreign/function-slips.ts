import { otherSize, sizeByType } from './by-type.ts'
import { argumentsIn, rewrittenCall } from './foreign-functions.ts'
import type { SlipKnowledge, SlipRule } from './slip.ts'

const ARGUMENTS = String.raw`\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)`
/** What stands before a method: a path that ends before its last dot. */
const OBJECT = String.raw`((?:\$?\w+(?:\[[^\[\]]*\])?)(?:\.\w+(?:\[[^\[\]]*\])?)*?)`

function call(name: string, value: string, others: readonly string[], known: SlipKnowledge): string | undefined {
  return sizeByType(name, value, known) ?? rewrittenCall(name, value, others)
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
    rewrite: ([, value = '', name = '', given = ''], known) => call(name, value, argumentsIn(given), known) ?? '',
    also: ([, value = '', name = ''], known) => otherSize(name, value, known),
    hint: 'write a function: `$lowercase(x)`, `$contains(x, "a")`, `$count(list)`',
  },
  {
    pattern: new RegExp(String.raw`(?<![\w$.\`)\]])(?!(?:and|or|in|function)\b)([A-Za-z_]\w*)\s*${ARGUMENTS}`),
    message: 'functions begin with `$`',
    rewrite: ([, name = '', given = ''], known) => {
      const [first = '', ...others] = argumentsIn(given)
      return call(name, first, others, known) ?? (known.functions.has(name) ? `$${name}(${given})` : '')
    },
    also: ([, name = '', given = ''], known) => otherSize(name, given.trim(), known),
    hint: 'write `$count(list)`, `$exists(x)`: the reference lists all functions',
  },
]
