import type { Budget } from '../compile/budget.ts'
import { isFunctionValue, type Value } from '../value.ts'
import { builtinError } from './builtin-error.ts'
import { payText } from './cost.ts'

interface PrintOptions {
  readonly budget: Budget
  /** Indents by two spaces. Defaults to false. */
  readonly pretty?: boolean
}

/**
 * A value as text, as `$string` and `&` write it: text as it is, functions as nothing, all else as JSON with numbers of at
 * most 15 digits.
 */
export function printValue(value: Value, options: PrintOptions): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && !Number.isFinite(value)) throw builtinError('D3001')
  if (isFunctionValue(value) || value === undefined) return ''
  return printJson(value, { budget: options.budget, step: options.pretty === true ? '  ' : '' }, '')
}

interface Layout {
  readonly budget: Budget
  /** What one level of nesting is indented by; empty for JSON in one line. */
  readonly step: string
}

function printJson(value: Value, layout: Layout, indent: string): string {
  layout.budget.step()
  if (typeof value === 'string') return quote(value, layout.budget)
  if (typeof value === 'number') return printNumber(value)
  if (typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return 'null'
  if (isFunctionValue(value)) return '""'
  return printContainer(value as Container, layout, indent)
}

type Container = readonly Value[] | { readonly [key: string]: Value }

function printContainer(value: Container, layout: Layout, indent: string): string {
  layout.budget.enter()
  const inner = indent + layout.step
  const text = Array.isArray(value)
    ? wrap('[]', printItems(value, layout, inner), { layout, indent })
    : wrap('{}', printEntries(value as { readonly [key: string]: Value }, layout, inner), { layout, indent })
  layout.budget.leave()
  return text
}

function printItems(items: readonly Value[], layout: Layout, indent: string): string[] {
  return items.map((item) => printJson(item, layout, indent))
}

function printEntries(object: { readonly [key: string]: Value }, layout: Layout, indent: string): string[] {
  const parts: string[] = []
  for (const key of Object.keys(object)) {
    if (object[key] === undefined) continue
    const colon = layout.step === '' ? ':' : ': '
    parts.push(quote(key, layout.budget) + colon + printJson(object[key], layout, indent))
  }
  return parts
}

function wrap(
  brackets: string,
  parts: readonly string[],
  { layout, indent }: { layout: Layout; indent: string },
): string {
  if (parts.length === 0) return brackets
  const [open, close] = layout.step === '' ? ['', ''] : [`\n${indent}${layout.step}`, `\n${indent}`]
  let total = 2 + open.length + close.length
  for (const part of parts) total += part.length + 1 + open.length
  payText(layout.budget, total)
  return `${brackets[0]}${open}${parts.join(`,${open}`)}${close}${brackets[1]}`
}

function printNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw builtinError('D1001')
  if (Number.isNaN(value)) return 'null'
  return Number.isInteger(value) ? JSON.stringify(value) : JSON.stringify(Number(value.toPrecision(15)))
}

function quote(text: string, budget: Budget): string {
  payText(budget, text.length + 2)
  const quoted = JSON.stringify(text)
  budget.allocate(2 * (quoted.length - text.length))
  return quoted
}
