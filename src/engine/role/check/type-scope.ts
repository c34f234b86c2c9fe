import type { Type } from '../../expression/types/type.ts'

/** Types of the variables that a place of a role sees, innermost first. */
export class TypeScope {
  readonly #parent: TypeScope | undefined
  readonly #types = new Map<string, Type>()

  constructor(parent?: TypeScope) {
    this.#parent = parent
  }

  nested(types: { readonly [name: string]: Type } = {}): TypeScope {
    const scope = new TypeScope(this)
    for (const [name, type] of Object.entries(types)) scope.set(name, type)
    return scope
  }

  set(name: string, type: Type): void {
    this.#types.set(name, type)
  }

  /** All that are visible. */
  visible(): ReadonlyMap<string, Type> {
    return new Map([...(this.#parent?.visible() ?? []), ...this.#types])
  }
}
