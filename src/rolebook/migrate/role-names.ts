import { variableNameProblem } from '../../engine/role/compile/variable-names.ts'
import { fieldText, type Jsonata, jsonata } from './jsonata-text.ts'
import { ANY_SHAPE, type Shape, shapeOfType } from './shape.ts'
import { Undecided } from './undecided.ts'

/** A way into a value: names of fields, and numbers of items. */
export type Steps = readonly (string | number)[]

/** What a name of a role holds, seen from templates. */
export interface Variable {
  /** The name it has in the new role, without `$`. */
  readonly name: string
  readonly shape: Shape
  readonly optional: boolean
  /**
   * `value`: itself. What a module of Kubernetes has registered wraps its objects: `object` and `objects` are below
   * `resources`, `ensured` is below `result`. `opaque` has no counterpart.
   */
  readonly form: 'value' | 'object' | 'objects' | 'ensured' | 'opaque'
}

export interface ResourceNames {
  readonly group: string
  readonly kind: string
  readonly spec: Shape
}

/** What names mean in the templates of a role, from here on. */
export class RoleNames {
  readonly #resource: ResourceNames
  readonly #parent: RoleNames | undefined
  readonly #variables = new Map<string, Variable>()
  readonly #taken: Set<string>
  readonly #used: Set<string>
  readonly #notes: Set<string>

  constructor(resource: ResourceNames, parent?: RoleNames) {
    this.#resource = resource
    this.#parent = parent
    this.#taken = parent ? parent.#taken : new Set()
    this.#used = parent ? parent.#used : new Set()
    this.#notes = parent ? parent.#notes : new Set()
  }

  /** Remembers something that a person should know of what is being translated. */
  note(message: string): void {
    this.#notes.add(message)
  }

  /** What was noted since it was last asked. */
  takeNotes(): readonly string[] {
    const notes = [...this.#notes]
    this.#notes.clear()
    return notes
  }

  /** Names within a task or a list of them. */
  nested(): RoleNames {
    return new RoleNames(this.#resource, this)
  }

  /** Variables that something has read, as they are called in the new role. */
  get used(): ReadonlySet<string> {
    return this.#used
  }

  /** From now on only what is read from now on counts as used. */
  forgetUses(): void {
    this.#used.clear()
  }

  get resource(): ResourceNames {
    return this.#resource
  }

  /** Makes a name mean something from now on, under a name that the language allows and nothing else has. */
  define(name: string, variable: Omit<Variable, 'name'>): Variable {
    const defined = { ...variable, name: this.#freeName(name) }
    this.#taken.add(defined.name)
    this.#variables.set(name, defined)
    return defined
  }

  /** Makes a name mean what the language calls `as`. */
  alias(name: string, as: string, shape: Shape): void {
    this.#variables.set(name, { name: as, shape, optional: false, form: 'value' })
  }

  variable(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.#parent?.variable(name)
  }

  /** Whether the resource itself has a field of the name, which in Ansible wins over everything a role sets. */
  isField(name: string): boolean {
    try {
      return !this.#resource.spec.field(name).assumed
    } catch {
      return false
    }
  }

  /** What `name.a.b[0]` means. @throws Undecided */
  resolve(name: string, steps: Steps): Jsonata {
    const variable = this.variable(name)
    if (variable) return this.#resolveVariable(variable, steps)
    if (name === 'ansible_operator_meta') return this.#metadata(steps)
    const { group, kind, spec } = this.#resource
    const whole = `_${group.replace(/[.-]/g, '_')}_${kind.toLowerCase()}`
    if (name === whole) return this.#resolveWhole(steps)
    if (name === `${whole}_spec`) return follow(jsonata('spec'), steps)
    if (KNOWN_ELSEWHERE.test(name)) {
      throw new Undecided('RB1705', `\`${name}\` has no counterpart`, {
        hint: 'a role sees the resource and what it reads',
      })
    }
    const field = spec.field(name)
    const path = fieldText('spec', field.key)
    if (field.assumed) this.note(`\`${name}\` is taken for \`${path}\`: no schema says that there is such a field`)
    return follow(jsonata(path, field), steps)
  }

  #resolveVariable({ name, form, shape, optional }: Variable, steps: Steps): Jsonata {
    this.#used.add(name)
    const whole = jsonata(`$${name}`, { shape, optional })
    if (form === 'value') return follow(whole, steps)
    const [first, ...rest] = steps
    if (form === 'ensured' && first === 'result') return follow(whole, rest)
    if (form === 'objects' && first === 'resources') return follow({ ...whole, shape: shapeOfType('list') }, rest)
    if (form === 'object' && first === 'resources') {
      const [index, ...inner] = rest
      if (index === 0) return follow(whole, inner)
      if (index === undefined) return jsonata(`[$${name}]`, { shape: shapeOfType('list') })
    }
    const wrapped = form === 'ensured' ? 'result' : 'resources'
    const message =
      form === 'opaque'
        ? 'what the task has registered cannot be read'
        : `only \`${wrapped}\` of what the task has registered can be read`
    throw new Undecided('RB1705', message, { hint: 'a registered object is the object itself, as it is now' })
  }

  #metadata(steps: Steps): Jsonata {
    const [first] = steps
    const always = steps.length === 1 && (first === 'name' || first === 'namespace')
    const path = follow(jsonata('metadata'), steps)
    return always ? { ...path, shape: shapeOfType('text'), optional: false } : path
  }

  #resolveWhole(steps: Steps): Jsonata {
    const [first, ...rest] = steps
    if (first === 'metadata') return this.#metadata(rest)
    if (first === 'spec') return follow(jsonata('spec'), rest)
    if (first === 'apiVersion' || first === 'kind') return jsonata(first, { shape: shapeOfType('text') })
    const message =
      first === 'status' ? 'a role cannot read the status of its own resource' : 'the whole resource is read'
    throw new Undecided('RB1705', message, { hint: 'keep what must be remembered in an object of the role' })
  }

  #freeName(name: string): string {
    const base = variableNameProblem(name) === undefined ? name : `${name.replace(/\W/g, '_')}_value`
    let free = base
    for (let count = 2; this.#taken.has(free); count += 1) free = `${base}_${count}`
    return free
  }
}

/** Names that Ansible itself gives. */
const KNOWN_ELSEWHERE =
  /^(ansible_.*|hostvars|groups|group_names|inventory_.*|play_hosts|playbook_dir|role_path|role_name|omit|lookup|query|q|range|now|undef|namespace|dict|vars|environment)$/

/** From a value on along fields and items. @throws Undecided */
function follow(from: Jsonata, steps: Steps): Jsonata {
  let here = from
  for (const step of steps) {
    const shape = here.shape
    if (typeof step === 'number') {
      here = jsonata(`${here.text}[${step}]`, { shape: shape.item(), optional: true })
    } else {
      const field = shape === ANY_SHAPE ? ANY_SHAPE.field(step) : shape.field(step)
      const optional = here.optional || field.optional
      here = jsonata(fieldText(here.text, field.key), { shape: field.shape, optional })
    }
  }
  return here
}
