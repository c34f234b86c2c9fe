import { Undecided } from '../undecided.ts'
import type { JinjaNode, Named, Operator } from './jinja-tree.ts'
import { type JinjaToken, tokenizeJinja } from './tokenize-jinja.ts'

/** An expression of Jinja to its tree; nothing of it is run. @throws Undecided */
export function parseJinja(source: string): JinjaNode {
  return new JinjaParser(tokenizeJinja(source)).whole()
}

/** From the loosest to the tightest. */
const LEVELS: readonly (readonly Operator[])[] = [['+', '-'], ['~'], ['*', '/', '//', '%'], ['**']]
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])
/** Deeper than people write. */
const MAX_DEPTH = 50

class JinjaParser {
  readonly #tokens: readonly JinjaToken[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly JinjaToken[]) {
    this.#tokens = tokens
  }

  whole(): JinjaNode {
    const node = this.#choice()
    if (this.#token.kind !== 'end') throw this.#refuse()
    return node
  }

  get #token(): JinjaToken {
    return this.#tokens[this.#next] as JinjaToken
  }

  #choice(): JinjaNode {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw this.#refuse()
    const then = this.#or()
    this.#depth -= 1
    if (!this.#takes('if', 'name')) return then
    const condition = this.#or()
    return { kind: 'choice', if: condition, then, else: this.#takes('else', 'name') ? this.#choice() : undefined }
  }

  #or(): JinjaNode {
    let left = this.#and()
    while (this.#takes('or', 'name')) left = { kind: 'operator', operator: 'or', left, right: this.#and() }
    return left
  }

  #and(): JinjaNode {
    let left = this.#not()
    while (this.#takes('and', 'name')) left = { kind: 'operator', operator: 'and', left, right: this.#not() }
    return left
  }

  #not(): JinjaNode {
    let count = 0
    while (this.#takes('not', 'name')) count += 1
    let node = this.#comparison()
    for (; count > 0; count -= 1) node = { kind: 'not', of: node }
    return node
  }

  #comparison(): JinjaNode {
    const left = this.#level(0)
    const operator = this.#comparator()
    if (operator === undefined) return left
    const node: JinjaNode = { kind: 'operator', operator, left, right: this.#level(0) }
    if (this.#comparator() !== undefined) throw this.#refuse('comparisons in a chain')
    return node
  }

  #comparator(): Operator | undefined {
    const { kind, text } = this.#token
    if (kind === 'operator' && COMPARISONS.has(text)) {
      this.#next += 1
      return text as Operator
    }
    if (this.#takes('in', 'name')) return 'in'
    if (text !== 'not' || kind !== 'name') return undefined
    this.#next += 1
    this.#expect('in', 'name')
    return 'not in'
  }

  #level(level: number): JinjaNode {
    const operators = LEVELS[level]
    if (!operators) return this.#sign()
    let left = this.#level(level + 1)
    for (;;) {
      const { kind, text } = this.#token
      if (kind !== 'operator' || !operators.some((operator) => operator === text)) return left
      this.#next += 1
      left = { kind: 'operator', operator: text as Operator, left, right: this.#level(level + 1) }
    }
  }

  #sign(): JinjaNode {
    return this.#filtered(this.#takes('-') ? { kind: 'minus', of: this.#operand() } : this.#operand())
  }

  #filtered(of: JinjaNode): JinjaNode {
    let node = of
    for (;;) {
      if (this.#takes('|')) {
        const name = this.#filterName()
        node = { kind: 'filter', of: node, name, ...this.#optionalArguments() }
      } else if (this.#takes('is', 'name')) {
        const not = this.#takes('not', 'name')
        const name = this.#name()
        node = { kind: 'test', of: node, name, args: this.#optionalArguments().args, not }
      } else return node
    }
  }

  /** `kubernetes.core.k8s_config_resource_name`: the last part says which. */
  #filterName(): string {
    let name = this.#name()
    while (this.#takes('.')) name += `.${this.#name()}`
    return name
  }

  #operand(): JinjaNode {
    let node = this.#atom()
    for (;;) {
      if (this.#takes('.')) node = { kind: 'field', of: node, name: this.#name() }
      else if (this.#takes('[')) {
        node = { kind: 'item', of: node, index: this.#choice() }
        this.#expect(']')
      } else if (this.#takes('(')) node = { kind: 'call', of: node, ...this.#arguments() }
      else return node
    }
  }

  #atom(): JinjaNode {
    const { kind, text } = this.#token
    this.#next += 1
    if (kind === 'string') return { kind: 'literal', value: text }
    if (kind === 'number') return { kind: 'literal', value: Number(text) }
    if (kind === 'name') {
      const constant = CONSTANTS.get(text)
      return constant === undefined ? { kind: 'name', name: text } : { kind: 'literal', value: constant }
    }
    if (text === '(') {
      const node = this.#choice()
      this.#expect(')')
      return node
    }
    if (text === '[') return { kind: 'list', items: this.#list(']', () => this.#choice()) }
    if (text === '{') return { kind: 'map', entries: this.#list('}', () => this.#entry()) }
    this.#next -= 1
    throw this.#refuse()
  }

  #entry(): readonly [JinjaNode, JinjaNode] {
    const key = this.#choice()
    this.#expect(':')
    return [key, this.#choice()]
  }

  #list<Item>(end: string, read: () => Item): readonly Item[] {
    const items: Item[] = []
    while (!this.#takes(end)) {
      items.push(read())
      if (!this.#takes(',')) {
        this.#expect(end)
        break
      }
    }
    return items
  }

  #optionalArguments(): { readonly args: readonly JinjaNode[]; readonly named: Named } {
    return this.#takes('(') ? this.#arguments() : { args: [], named: new Map() }
  }

  #arguments(): { readonly args: readonly JinjaNode[]; readonly named: Named } {
    const named = new Map<string, JinjaNode>()
    const args = this.#list(')', () => {
      const after = this.#tokens[this.#next + 1]
      if (this.#token.kind !== 'name' || after?.text !== '=' || after.kind !== 'operator') return this.#choice()
      const name = this.#name()
      this.#expect('=')
      named.set(name, this.#choice())
      return undefined
    })
    return { args: args.filter((arg) => arg !== undefined), named }
  }

  #name(): string {
    const { kind, text } = this.#token
    if (kind !== 'name') throw this.#refuse()
    this.#next += 1
    return text
  }

  #takes(text: string, kind: JinjaToken['kind'] = 'operator'): boolean {
    if (this.#token.text !== text || this.#token.kind !== kind) return false
    this.#next += 1
    return true
  }

  #expect(text: string, kind?: JinjaToken['kind']): void {
    if (!this.#takes(text, kind)) throw this.#refuse(undefined, `\`${text}\``)
  }

  #refuse(what?: string, wanted = 'something else'): Undecided {
    const { kind, text, offset } = this.#token
    const found = kind === 'end' ? 'the end' : `\`${text}\``
    const message = what ?? `the template has ${found} where ${wanted} should stand`
    return new Undecided('RB1705', message, { place: { path: [], offset } })
  }
}
