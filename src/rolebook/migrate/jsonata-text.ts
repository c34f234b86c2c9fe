import { ANY_SHAPE, type Shape } from './shape.ts'

/** An expression of JSONata, with what is known of its value. */
export interface Jsonata {
  readonly text: string
  /** How tightly it holds together: an `atom` can stand anywhere, anything else needs brackets. */
  readonly binds: 'atom' | 'comparison' | 'and' | 'or' | 'loose'
  readonly shape: Shape
  /** Whether there may be nothing. */
  readonly optional: boolean
}

export function jsonata(text: string, options: Partial<Omit<Jsonata, 'text'>> = {}): Jsonata {
  return { text, binds: 'atom', shape: ANY_SHAPE, optional: false, ...options }
}

/** As an operand of anything. */
export function operand({ text, binds }: Jsonata): string {
  return binds === 'atom' ? text : `(${text})`
}

/** A field of what is at `text`: `spec.size`, `` labels.`app.kubernetes.io/name` ``. */
export function fieldText(text: string, key: string): string {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !KEYWORDS.has(key) ? key : `\`${key}\``
  return `${text}.${name}`
}

const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function'])

export function textLiteral(text: string): string {
  return JSON.stringify(text)
}
