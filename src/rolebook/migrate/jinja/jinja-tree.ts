/** What an expression of Jinja says. */
export type JinjaNode =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly of: JinjaNode; readonly name: string }
  | { readonly kind: 'item'; readonly of: JinjaNode; readonly index: JinjaNode }
  | { readonly kind: 'call'; readonly of: JinjaNode; readonly args: readonly JinjaNode[]; readonly named: Named }
  | FilterNode
  | {
      readonly kind: 'test'
      readonly of: JinjaNode
      readonly name: string
      readonly args: readonly JinjaNode[]
      readonly not: boolean
    }
  | { readonly kind: 'not'; readonly of: JinjaNode }
  | { readonly kind: 'minus'; readonly of: JinjaNode }
  | { readonly kind: 'operator'; readonly operator: Operator; readonly left: JinjaNode; readonly right: JinjaNode }
  | { readonly kind: 'choice'; readonly if: JinjaNode; readonly then: JinjaNode; readonly else: JinjaNode | undefined }
  | { readonly kind: 'list'; readonly items: readonly JinjaNode[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [JinjaNode, JinjaNode])[] }

export interface FilterNode {
  readonly kind: 'filter'
  readonly of: JinjaNode
  readonly name: string
  readonly args: readonly JinjaNode[]
  readonly named: Named
}

/** Arguments with a name: `map(attribute='name')`. */
export type Named = ReadonlyMap<string, JinjaNode>

export type Operator =
  | 'or'
  | 'and'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | '~'
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
