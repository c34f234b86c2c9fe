import { sha256 } from '../../../core/base/hash.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import { readinessOf } from '../../../core/kube/readiness.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import type { ExpressionFunction, FunctionTable } from '../../expression/function-table.ts'
import type { Value } from '../../expression/value.ts'
import { NO_SOURCES, UsedSources } from '../parse/role-sources.ts'
import { dnsName, LEAST_DNS_NAME_LENGTH } from './dns-name.ts'
import { functionError } from './function-errors.ts'
import { mergeDeep } from './merge-deep.ts'
import { parseJsonText, parseYamlText } from './parse-data.ts'
import { plainArgument } from './plain-argument.ts'
import { printedSizeOf } from './printed-size.ts'
import { formatQuantity, parseQuantity, QUANTITY_UNITS } from './quantity.ts'
import { RoleTexts } from './role-texts.ts'
import { textFunctions } from './text-functions.ts'

/**
 * The functions that the role language adds to JSONata's. The reference page is made from this table, and every example is
 * an expression that yields true.
 */
const FUNCTIONS: readonly ExpressionFunction[] = [
  {
    name: 'dnsName',
    signature: '<an?:s>',
    doc: 'A name for an object, made of parts. Where they do not fit as they are, it ends in a hash of them. At most 63 letters, or as many as the second argument says.',
    example: '$dnsName([metadata.name, "Cache_1"]) = "web-cache-1-fdffe4c5"',
    run: given(([parts, max], pay) => toDnsName(parts, max, pay)),
  },
  {
    name: 'sha256',
    signature: '<x:s>',
    doc: 'The SHA-256 of a text in hex; of any other value, of its JSON with sorted keys.',
    example: '$sha256({"b": 1, "a": 2}) = $sha256({"a": 2, "b": 1})',
    run: given((args, pay) => sha256(hashedText(args, pay))),
  },
  {
    name: 'entries',
    signature: '<o:a<o>>',
    doc: 'The entries of a map as a list of `{key, value}`, sorted by key.',
    example: '$entries({"b": 1, "a": 2}).key = ["a", "b"]',
    run: given(([map]) => entriesOf(map as JsonObject)),
  },
  {
    name: 'quantity',
    signature: '<(sn):n>',
    doc: 'The number that a quantity of Kubernetes means.',
    example: '$quantity("500m") = 0.5 and $quantity("1Gi") = 1073741824',
    run: given(([text], pay) => toNumber(text, pay)),
  },
  {
    name: 'formatQuantity',
    signature: '<ns?:s>',
    doc: 'A number as a quantity in a unit (`m`, `k`, `Mi`, `Gi`, …), rounded up to three decimals.',
    example: '$formatQuantity($quantity("1Gi") / 2, "Mi") = "512Mi"',
    run: given(([number, unit]) => toQuantity(number as number, (unit ?? '') as string)),
  },
  {
    name: 'toYaml',
    signature: '<x:s>',
    doc: 'A value as YAML that every reader understands alike.',
    example: '$toYaml({"port": "0644"}) = "port: \\"0644\\"\\n"',
    run: given(printed((value) => printYaml([value]), { step: 2, cost: 8 })),
  },
  {
    name: 'fromYaml',
    signature: '<s:x>',
    doc: 'The value of a YAML text with one document.',
    example: '$fromYaml("ports: [80, 443]").ports = [80, 443]',
    run: given(([text], pay) => {
      // Reading YAML takes longer than anything else a step stands for.
      pay(16 * (text as string).length)
      return parseYamlText(text as string)
    }),
  },
  {
    name: 'toJson',
    signature: '<x:s>',
    doc: 'A value as JSON in one line, keys in their order.',
    example: '$toJson({"b": [1, true]}) = "{\\"b\\":[1,true]}"',
    run: given(printed((value) => JSON.stringify(value))),
  },
  {
    name: 'fromJson',
    signature: '<s:x>',
    doc: 'The value of a JSON text.',
    example: '$fromJson("{\\"a\\": [1]}").a = [1]',
    run: given(([text], pay) => {
      pay((text as string).length)
      return parseJsonText(text as string)
    }),
  },
  {
    name: 'mergeDeep',
    signature: '<a<o>:o>',
    doc: 'A list of maps as one: maps in them are merged, of anything else the last one counts.',
    example: '$mergeDeep([{"a": {"b": 1}}, {"a": {"c": 2}}]) = {"a": {"b": 1, "c": 2}}',
    run: given(([maps], pay) => mergeDeep(maps as readonly JsonObject[], (keys) => pay(BYTES_OF_KEY * keys))),
  },
  {
    name: 'condition',
    signature: '<os:o>',
    doc: 'The condition of a type in the status of an object.',
    example: '$condition({"status": {"conditions": [{"type": "Ready", "status": "True"}]}}, "Ready").status = "True"',
    run: given(([object, type]) => conditionOf(object as JsonObject, type as string)),
  },
  {
    name: 'isReady',
    signature: '<o:b>',
    doc: 'Whether an object has become what its spec says, by the rules for its kind.',
    example: '$isReady({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}})',
    run: given(([object]) => isReady(object as JsonObject)),
  },
]

/** The functions of a role that has these texts. */
export function roleFunctions(texts: RoleTexts, own: readonly ExpressionFunction[] = []): FunctionTable {
  const table = new Map<string, ExpressionFunction>([...FUNCTIONS, ...own].map((one) => [one.name, one]))
  for (const one of textFunctions(texts, table)) table.set(one.name, one)
  return table
}

/** The functions as a role without texts has them. */
export const ROLE_FUNCTIONS: FunctionTable = roleFunctions(new RoleTexts(new UsedSources(NO_SOURCES)))

/** Pays for `length` characters that a function reads or makes, before it does. Ends the evaluation where the budget is used up. */
export type Pay = (length: number) => void

/** What a key of a map counts for: a step. */
const BYTES_OF_KEY = 64
export type Run = (args: readonly (JsonValue | undefined)[], pay: Pay) => Value

/** Arguments as plain JSON; nothing for nothing. `pay` counts text that is made or read. */
export function given(run: Run): ExpressionFunction['run'] {
  return ({ budget }, args) => {
    if (args[0] === undefined) return undefined
    const pay: Pay = (length) => {
      budget.step(1 + Math.floor(length / 64))
      budget.allocate(2 * length)
    }
    return run(
      args.map((arg) => plainArgument(arg, budget)),
      pay,
    )
  }
}

/** A text made of a value. What can be known of its length is paid for before, so that no text is made which is too long. */
function printed(print: (value: JsonValue) => string, { step = 0, cost = 1 } = {}) {
  return ([value]: readonly (JsonValue | undefined)[], pay: Pay): string => {
    const size = printedSizeOf(value, step)
    pay(cost * size)
    const text = print(value as JsonValue)
    pay(cost * Math.max(0, text.length - size))
    return text
  }
}

const hashedText = printed((value) => (typeof value === 'string' ? value : canonicalJson(value)))

function toDnsName(parts: JsonValue | undefined, max: JsonValue | undefined, pay: Pay): string {
  const length = max ?? 63
  if (typeof length !== 'number' || length < LEAST_DNS_NAME_LENGTH || length > 253) throw functionError('E2001')
  const list = parts as readonly JsonValue[]
  if (list.length === 0 || !list.every((part) => typeof part === 'string' || typeof part === 'number')) {
    throw functionError('E2002')
  }
  pay(printedSizeOf(list, 0))
  return dnsName(list.map(String), Math.floor(length))
}

function entriesOf(map: JsonObject): JsonValue {
  const keys = Object.keys(map).sort()
  return keys.map((key) => ({ key, value: map[key] }))
}

function toNumber(value: JsonValue | undefined, pay: Pay): number {
  if (typeof value === 'number') return value
  const text = value as string
  pay(text.length)
  const number = parseQuantity(text)
  if (number === undefined) throw functionError('E2003')
  return number
}

function toQuantity(number: number, unit: string): string {
  const text = formatQuantity(number, unit)
  if (text === undefined) throw functionError('E2004', QUANTITY_UNITS.join(' '))
  return text
}

function conditionOf({ status }: JsonObject, type: string): JsonValue | undefined {
  const conditions = (status as JsonObject | undefined)?.conditions
  return Array.isArray(conditions) ? conditions.find((one) => one?.type === type) : undefined
}

function isReady(object: JsonObject): boolean {
  const { apiVersion, kind, metadata } = object
  const isObject = typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata === 'object'
  if (!isObject || metadata === null) throw functionError('E2007')
  return readinessOf(object as KubeObject).kind === 'ready'
}
