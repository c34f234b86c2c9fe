import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deepFreeze, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { parseBody } from '../../src/core/yaml/parse-body.ts'
import { compileTemplate } from '../../src/engine/expression/compile-template.ts'
import { dropNulls } from '../../src/engine/expression/drop-nulls.ts'
import { splitTemplate } from '../../src/engine/expression/split-template.ts'
import { ROLE_FUNCTIONS } from '../../src/engine/role/functions/functions.ts'
import { roleInput } from '../../src/engine/role/run/role-input.ts'
import { readObjects } from '../../src/rolebook/cli/read-objects.ts'
import { OperatorSandbox } from '../../test/support/operator-sandbox.ts'
import { projectAt } from '../../test/support/running-operator.ts'

/** An expression of a shipped role, with what it reads in a settled cluster. */
export interface RoleExpression {
  readonly role: string
  readonly source: string
  readonly input: JsonValue
  readonly variables: JsonObject
}

/** The expressions of all shipped roles, each over the first sample of its kind. */
export async function roleExpressions(): Promise<readonly RoleExpression[]> {
  const { watches } = await projectAt()
  const sandbox = await OperatorSandbox.start()
  try {
    for (const { role } of watches)
      for (const crd of objectsIn(`roles/${role.name}/crd.yaml`)) await sandbox.cluster.install(crd)
    sandbox.run(await projectAt())
    const found: RoleExpression[] = []
    for (const { role } of watches) {
      const sample = await sandbox.apply(firstSample(role.name))
      await sandbox.settled()
      const live = await sandbox.get(gvkOf(sample), sample.metadata.name as string)
      found.push(...(await new RoleReader(role.name, live as KubeObject, sandbox).expressions()))
    }
    return found
  } finally {
    await sandbox.stop()
  }
}

function firstSample(role: string): KubeObject {
  const [file = ''] = readdirSync(`roles/${role}/samples`).sort()
  return objectsIn(join('roles', role, 'samples', file))[0] as KubeObject
}

function objectsIn(path: string): readonly KubeObject[] {
  return readObjects(path, readFileSync(path, 'utf8'))
}

/** Reads the tasks of a role from top to bottom, and gives each expression what is known by then. */
class RoleReader {
  readonly #found: RoleExpression[] = []
  readonly #role: string
  readonly #input: JsonObject
  readonly #sandbox: OperatorSandbox
  #variables: JsonObject = {}

  constructor(role: string, resource: KubeObject, sandbox: OperatorSandbox) {
    this.#role = role
    this.#input = roleInput(resource)
    this.#sandbox = sandbox
  }

  async expressions(): Promise<readonly RoleExpression[]> {
    const text = readFileSync(`roles/${this.#role}/role.yaml`, 'utf8')
    const { vars = {}, tasks } = parseBody(text) as unknown as { vars?: JsonObject; tasks: readonly JsonObject[] }
    this.#set(vars)
    for (const task of tasks) await this.#read(task)
    return this.#found
  }

  async #read(task: JsonObject): Promise<void> {
    if (isJsonObject(task.set)) return this.#set(task.set)
    if (task.loop !== undefined) {
      const items = this.#render(task.loop)
      this.#define({ item: isJsonArray(items) ? items[0] : items, index: 0 })
    }
    this.#collect(task)
    if (typeof task.register === 'string') this.#define({ [task.register]: await this.#registered(task) })
  }

  #set(values: JsonObject): void {
    this.#collect(values)
    for (const [name, value] of Object.entries(values)) this.#define({ [name]: this.#render(value as JsonValue) })
  }

  #define(variables: { readonly [name: string]: JsonValue | undefined }): void {
    this.#variables = deepFreeze({ ...this.#variables, ...variables } as JsonObject)
  }

  #render(value: JsonValue): JsonValue | undefined {
    const variables = this.#variables
    const template = compileTemplate(value, { functions: ROLE_FUNCTIONS, needsValue: () => false })
    return template.render({ input: this.#input, variable: (name) => variables[name] })
  }

  #collect(value: JsonValue | undefined): void {
    if (typeof value === 'string') {
      for (const part of splitTemplate(value)) if ('source' in part) this.#add(part.source)
    } else if (isJsonArray(value)) {
      for (const item of value) this.#collect(item)
    } else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        this.#collect(key)
        this.#collect(item)
      }
    }
  }

  #add(source: string): void {
    const known = this.#found.some((one) => one.source === source)
    if (!known)
      this.#found.push({
        role: this.#role,
        source,
        input: this.#input,
        variables: { ...this.#variables } as JsonObject,
      })
  }

  /** The live object of the kind that the task is about; for a list, all of them. */
  async #registered({ ensure, get, list }: JsonObject): Promise<JsonValue | undefined> {
    const gvk = gvkOf((ensure ?? get ?? list) as unknown as KubeObject)
    const { items } = await this.#sandbox.client.list(gvk, { namespace: 'default' })
    const objects = items.map((object) => dropNulls({ ...object } as JsonObject))
    return (list === undefined ? objects[0] : objects) as JsonValue | undefined
  }
}
