import { type Jsonata, jsonata, operand } from '../jsonata-text.ts'
import { type Shape, shapeOfType } from '../shape.ts'
import { Undecided } from '../undecided.ts'
import type { FilterNode, JinjaNode } from './jinja-tree.ts'

/** What a filter needs of the translation of everything else. */
export interface FilterTools {
  value(node: JinjaNode): Jsonata
  condition(node: JinjaNode): Jsonata
}

type Filter = (of: Jsonata, node: FilterNode, tools: FilterTools) => Jsonata

const TEXT: Shape = shapeOfType('text')
const NUMBER: Shape = shapeOfType('number')
const LIST: Shape = shapeOfType('list')

/** A function of the value alone, nothing of nothing. */
function calling(name: string, shape: Shape): Filter {
  return (of, node) => {
    takes(node, 0)
    return jsonata(`$${name}(${of.text})`, { shape, optional: of.optional })
  }
}

/** Filters by name; those that take arguments see them. */
const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['default', defaultTo],
  ['d', defaultTo],
  ['lower', calling('lowercase', TEXT)],
  ['upper', calling('uppercase', TEXT)],
  ['trim', calling('trim', TEXT)],
  ['string', calling('string', TEXT)],
  ['int', calling('number', NUMBER)],
  ['float', calling('number', NUMBER)],
  ['abs', calling('abs', NUMBER)],
  ['sum', calling('sum', NUMBER)],
  ['max', calling('max', NUMBER)],
  ['min', calling('min', NUMBER)],
  ['b64encode', calling('base64encode', TEXT)],
  ['b64decode', calling('base64decode', TEXT)],
  ['to_json', calling('toJson', TEXT)],
  ['to_yaml', calling('toYaml', TEXT)],
  ['to_nice_yaml', calling('toYaml', TEXT)],
  ['from_json', calling('fromJson', shapeOfType('unknown'))],
  ['from_yaml', calling('fromYaml', shapeOfType('unknown'))],
  ['list', (of) => of],
  ['bool', toBoolean],
  ['length', lengthOf],
  ['count', lengthOf],
  ['first', (of) => jsonata(`${operand(of)}[0]`, { shape: of.shape.item(), optional: true })],
  ['last', (of) => jsonata(`${operand(of)}[-1]`, { shape: of.shape.item(), optional: true })],
  ['unique', (of) => jsonata(`[$distinct(${of.text})]`, { shape: LIST })],
  ['sort', sorted],
  ['join', joined],
  ['replace', replaced],
  ['combine', combined],
  ['dict2items', (of) => jsonata(`$entries(${of.text})`, { shape: LIST, optional: of.optional })],
  ['hash', hashed],
  ['ternary', ternary],
  ['map', mapped],
  ['selectattr', selected],
])

/** @throws Undecided for a filter that is not known, or is used in a way that is not */
export function applyFilter(of: Jsonata, node: FilterNode, tools: FilterTools): Jsonata {
  const name = node.name.replace(/^ansible\.builtin\./, '')
  const filter = FILTERS.get(name)
  if (filter) return filter(of, node, tools)
  throw new Undecided('RB1705', `the filter \`${node.name}\` has no counterpart`)
}

function defaultTo(of: Jsonata, node: FilterNode, { value }: FilterTools): Jsonata {
  const [fallback, falsy] = takes(node, 1, 2)
  if (fallback?.kind === 'name' && fallback.name === 'omit') return of
  const given = value(fallback as JinjaNode)
  const operator = falsy?.kind === 'literal' && falsy.value === true ? '?:' : '??'
  const shape = of.shape.type === 'unknown' ? given.shape : of.shape
  const text = `${operand(of)} ${operator} ${operand(given)}`
  return jsonata(text, { binds: 'loose', shape: fieldsOf(of.shape, shape), optional: given.optional })
}

/** The type of one, the fields of the other. */
function fieldsOf(fields: Shape, { type }: Shape): Shape {
  return { type, field: (name) => fields.field(name), item: () => fields.item() }
}

function toBoolean(of: Jsonata, node: FilterNode): Jsonata {
  takes(node, 0)
  if (of.shape.type === 'boolean') return of
  const text = `$lowercase($string(${of.text})) in ["true", "yes", "on", "1"]`
  return jsonata(text, { binds: 'comparison', shape: shapeOfType('boolean') })
}

function lengthOf(of: Jsonata, node: FilterNode): Jsonata {
  takes(node, 0)
  if (of.shape.type === 'list') return jsonata(`$count(${of.text})`, { shape: NUMBER })
  if (of.shape.type === 'text') return jsonata(`$length(${of.text})`, { shape: NUMBER, optional: of.optional })
  if (of.shape.type === 'map') return jsonata(`$count($keys(${of.text}))`, { shape: NUMBER })
  const hint = '`$length(…)` counts letters, `$count(…)` items, `$count($keys(…))` keys'
  throw new Undecided('RB1705', 'nothing says whether the length is that of a text or of a list', { hint })
}

function sorted(of: Jsonata, node: FilterNode): Jsonata {
  takes(node, 0)
  return jsonata(`[$sort(${of.text})]`, { shape: LIST })
}

function joined(of: Jsonata, node: FilterNode, { value }: FilterTools): Jsonata {
  const [separator] = takes(node, 0, 1)
  const by = separator ? `, ${value(separator).text}` : ''
  return jsonata(`$join(${of.text}${by})`, { shape: TEXT, optional: of.optional })
}

function replaced(of: Jsonata, node: FilterNode, { value }: FilterTools): Jsonata {
  const args = takes(node, 2).map((arg) => value(arg).text)
  return jsonata(`$replace(${[of.text, ...args].join(', ')})`, { shape: TEXT, optional: of.optional })
}

function combined(of: Jsonata, node: FilterNode, { value }: FilterTools): Jsonata {
  const maps = [of.text, ...node.args.map((arg) => value(arg).text)].join(', ')
  const recursive = node.named.get('recursive')
  const deep = recursive?.kind === 'literal' && recursive.value === true
  if (node.args.length === 0 || node.named.size > (deep ? 1 : 0)) throw unusual(node)
  return jsonata(deep ? `$mergeDeep([${maps}])` : `$merge([${maps}])`, { shape: shapeOfType('map') })
}

function hashed(of: Jsonata, node: FilterNode): Jsonata {
  const [algorithm] = takes(node, 0, 1)
  if (algorithm?.kind === 'literal' && algorithm.value === 'sha256') {
    return jsonata(`$sha256(${of.text})`, { shape: TEXT, optional: of.optional })
  }
  throw new Undecided('RB1705', 'only SHA-256 is there', { hint: '`$sha256(…)` makes another digest, hence a change' })
}

function ternary(_of: Jsonata, node: FilterNode, { value, condition }: FilterTools): Jsonata {
  const [yes, no] = takes(node, 2).map((arg) => value(arg)) as [Jsonata, Jsonata]
  const text = `${operand(condition(node.of))} ? ${operand(yes)} : ${operand(no)}`
  return jsonata(text, { binds: 'loose', shape: yes.shape, optional: yes.optional || no.optional })
}

/** `map(attribute='metadata.name')`. */
function mapped(of: Jsonata, node: FilterNode): Jsonata {
  const attribute = node.named.get('attribute')
  if (node.args.length > 0 || attribute?.kind !== 'literal') throw unusual(node)
  return jsonata(`[${operand(of)}.${attributePath(attribute.value, node)}]`, { shape: LIST })
}

/** `selectattr('a')`, `selectattr('a', 'defined')`, `selectattr('a', 'equalto', b)`. */
function selected(of: Jsonata, node: FilterNode, { value }: FilterTools): Jsonata {
  const [attribute, test, argument] = takes(node, 1, 3)
  if (attribute?.kind !== 'literal') throw unusual(node)
  const path = attributePath(attribute.value, node)
  const name = test?.kind === 'literal' ? test.value : undefined
  if (test === undefined) return jsonata(`[${operand(of)}[$boolean(${path})]]`, { shape: LIST })
  if (name === 'defined') return jsonata(`[${operand(of)}[$exists(${path})]]`, { shape: LIST })
  if (!argument || !['equalto', '==', 'eq'].includes(String(name))) throw unusual(node)
  // Within the brackets names belong to the item.
  const wanted = value(argument)
  const outside = /^[A-Za-z`]/.test(wanted.text) ? `$$.${wanted.text}` : wanted.text
  return jsonata(`[${operand(of)}[${path} = ${wanted.binds === 'atom' ? outside : refuse(node)}]]`, { shape: LIST })
}

function attributePath(attribute: unknown, node: FilterNode): string {
  if (typeof attribute !== 'string' || !/^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/.test(attribute)) throw unusual(node)
  return attribute
}

/** @throws Undecided when there are more arguments, or fewer */
function takes(node: FilterNode, least: number, most = least): readonly JinjaNode[] {
  if (node.named.size > 0 || node.args.length < least || node.args.length > most) throw unusual(node)
  return node.args
}

function refuse(node: FilterNode): never {
  throw unusual(node)
}

function unusual({ name }: FilterNode): Undecided {
  return new Undecided('RB1705', `the filter \`${name}\` is used in a way that has no counterpart`)
}
