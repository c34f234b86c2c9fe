type Scalar = string | number | boolean | null

const CONSTANTS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...constants(true, ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']),
  ...constants(false, ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']),
  ...constants(null, ['', '~', 'null', 'Null', 'NULL']),
  ...constants(Number.NaN, ['.nan', '.NaN', '.NAN']),
  ...constants(Number.POSITIVE_INFINITY, ['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF']),
  ...constants(Number.NEGATIVE_INFINITY, ['-.inf', '-.Inf', '-.INF']),
])

function constants(value: Scalar, texts: readonly string[]): readonly (readonly [string, Scalar])[] {
  return texts.map((text) => [text, value])
}

/** What an unquoted scalar is to `go.yaml.in/yaml/v2`. Dates are texts. */
export function goScalar(text: string): Scalar {
  const constant = CONSTANTS.get(text)
  if (constant !== undefined) return constant
  if (!/^[-+.\d]/.test(text) || DATE.test(text)) return text
  return integerOf(text.replaceAll('_', '')) ?? floatOf(text) ?? text
}

const DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})?)?$/

const BASES: readonly (readonly [pattern: RegExp, base: number])[] = [
  [/^0[xX]([\da-fA-F]+)$/, 16],
  [/^0[bB]([01]+)$/, 2],
  [/^0[oO]([0-7]+)$/, 8],
  [/^0([0-7]+)$/, 8],
  [/^(0|[1-9]\d*)$/, 10],
]

/** An integer of 64 bits; `undefined` for what is none. */
function integerOf(text: string): number | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(text) ?? []
  for (const [pattern, base] of BASES) {
    const found = pattern.exec(digits)?.[1]
    if (found === undefined) continue
    const number = Number.parseInt(found, base)
    if (sign === '-' ? number <= 2 ** 63 : number < 2 ** 64) return sign === '-' && number !== 0 ? -number : number
  }
  return undefined
}

const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** `_` stands in no number that begins with a point. */
function floatOf(text: string): number | undefined {
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '')
  return FLOAT.test(plain) ? Number(plain) : undefined
}
