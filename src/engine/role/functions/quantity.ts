const FACTORS: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
])

/** The number that a Kubernetes quantity (`500m`, `1Gi`, `1e3`) means, or `undefined` when the text is none. */
export function parseQuantity(text: string): number | undefined {
  const parts = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/.exec(text)
  if (!parts) return undefined
  const [, number = '', exponent = '', suffix = ''] = parts
  const value = Number(number + exponent)
  const factor = FACTORS.get(suffix) as number
  // Dividing by a whole number is exact where multiplying by a fraction is not: 300m is 0.3.
  return factor < 1 ? value / Math.round(1 / factor) : value * factor
}

/** A number as a quantity in a unit, rounded up to three decimals as Kubernetes does; `undefined` for an unknown unit. */
export function formatQuantity(number: number, unit: string): string | undefined {
  const factor = FACTORS.get(unit)
  if (factor === undefined) return undefined
  const inverse = Math.round(1 / factor)
  const scaled = factor < 1 ? number * inverse : number / factor
  // Too large for a number: so large are only whole ones, which digits without end hold exactly.
  if (!Number.isFinite(scaled)) return `${BigInt(number) * BigInt(inverse)}${unit}`
  // Beyond this a number has no thousandths.
  if (!Number.isSafeInteger(Math.trunc(scaled * 1000))) return `${BigInt(Math.ceil(scaled))}${unit}`
  // The error of binary fractions must not round up: 0.3 * 1000 is 300.
  const thousandths = Math.ceil(Number((scaled * 1000).toPrecision(15)))
  const whole = Math.trunc(Math.abs(thousandths) / 1000)
  return `${thousandths < 0 ? '-' : ''}${whole}${fraction(Math.abs(thousandths) % 1000)}${unit}`
}

function fraction(thousandths: number): string {
  return thousandths === 0 ? '' : `.${String(thousandths).padStart(3, '0').replace(/0+$/, '')}`
}

export const QUANTITY_UNITS: readonly string[] = [...FACTORS.keys()]
