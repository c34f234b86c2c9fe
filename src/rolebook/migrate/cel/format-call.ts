import type { Expr } from '../../../sandbox/apiserver/cel/expr.ts'
import { textLiteral } from '../jsonata-text.ts'
import { Undecided } from '../undecided.ts'
import type { CelScope } from './cel-scope.ts'
import { demand, type ReadExpr } from './settle.ts'
import { LEVEL, operandText, TEXT, type Translation, translation } from './translation.ts'

/** `"arn:%s:%d".format([a, b])`: the texts between the verbs, and the values, joined. */
export function formatted(pattern: Expr, values: Expr, scope: CelScope, read: ReadExpr): Translation {
  if (pattern.kind !== 'literal' || typeof pattern.value !== 'string' || values.kind !== 'list') {
    throw new Undecided('RB1705', '`format()` of what is not known before the role runs')
  }
  const items = values.items.map(({ value }) => value)
  const parts = pattern.value.split(/(%%|%[^%])/).filter((part) => part !== '')
  const texts = parts.map((part) => {
    if (part === '%%') return translation(textLiteral('%'))
    if (!part.startsWith('%') || part.length !== 2) return translation(textLiteral(part))
    return verb(part, items.shift(), scope, read)
  })
  if (items.length > 0) throw new Undecided('RB1705', '`format()` has more values than verbs')
  const [only] = texts
  if (texts.length === 1 && only) return { ...only, schema: TEXT }
  return translation(texts.map((one) => operandText(one, LEVEL.sum + 1)).join(' & '), {
    level: LEVEL.sum,
    schema: TEXT,
    needs: texts.flatMap(({ needs }) => needs),
  })
}

function verb(name: string, item: Expr | undefined, scope: CelScope, read: ReadExpr): Translation {
  if (!item) throw new Undecided('RB1705', '`format()` has fewer values than verbs')
  if (name === '%x') return hexOf(item, scope, read)
  const value = demand(read(item, scope), scope)
  const type = value.schema?.type
  if (name === '%s' && type === 'string') return value
  if ((name === '%d' || name === '%s') && type === 'integer')
    return { ...value, text: `$string(${value.text})`, level: LEVEL.atom }
  throw new Undecided('RB1705', `\`${name}\` of a value of this type has no counterpart`)
}

/** `"%x".format([hash.sha256(text)])`. */
function hexOf(item: Expr, scope: CelScope, read: ReadExpr): Translation {
  const [text] = item.kind === 'call' && item.name === 'sha256' ? item.args : []
  if (!text) throw new Undecided('RB1705', '`%x` has a counterpart for `hash.sha256()` alone')
  const { text: hashed, needs } = demand(read(text, scope), scope)
  return translation(`$sha256(${hashed})`, { schema: TEXT, needs })
}
