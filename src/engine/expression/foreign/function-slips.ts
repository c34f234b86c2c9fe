import { argumentsIn, rewrittenCall } from './foreign-functions.ts'
import type { SlipRule } from './slip.ts'

const ARGUMENTS = String.raw`\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)`
/** What stands before a method: a path that ends before its last dot. */
const OBJECT = String.raw`((?:\$?\w+(?:\[[^\[\]]*\])?)(?:\.\w+(?:\[[^\[\]]*\])?)*?)`

export const FUNCTION_SLIPS: readonly SlipRule[] = [
  {
    pattern: new RegExp(String.raw`(?<![\w$.])${OBJECT}\.(\w+)${ARGUMENTS}`),
    message: 'values have no methods: functions begin with `$`',
    rewrite: ([, value = '', name = '', given = '']) => rewrittenCall(name, value, argumentsIn(given)) ?? '',
    hint: 'write a function: `$lowercase(x)`, `$contains(x, "a")`, `$count(list)`',
  },
  {
    pattern: new RegExp(String.raw`(?<![\w$.\`)\]])(?!(?:and|or|in|function)\b)([A-Za-z_]\w*)\s*${ARGUMENTS}`),
    message: 'functions begin with `$`',
    rewrite: ([, name = '', given = ''], functions) => {
      const [first = '', ...others] = argumentsIn(given)
      return rewrittenCall(name, first, others) ?? (functions.has(name) ? `$${name}(${given})` : '')
    },
    hint: 'write `$count(list)`, `$exists(x)`: the reference lists all functions',
  },
]
