import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { type HttpAnswer, Sandbox } from '../sandbox.ts'

interface Step {
  readonly method: string
  readonly path: string
  readonly body?: JsonValue
  readonly type?: string
  /** The field of the answer that is compared. */
  readonly pick?: string
  /** Names of a list are compared. */
  readonly names?: boolean
  /** The row of the object `only` is compared. */
  readonly table?: boolean
  readonly only?: string
}
interface Case {
  readonly name: string
  readonly steps: readonly Step[]
  /** What kube-apiserver 1.36.4 answered. */
  readonly expected: readonly JsonObject[]
}
interface Row {
  readonly cells: readonly JsonValue[]
  readonly object: KubeObject
}

const CASES: readonly Case[] = JSON.parse(
  readFileSync(new URL('recorded-edges.generated.json', import.meta.url), 'utf8'),
)

describe('Rarely met requests are answered as by a real kube-apiserver', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    sandbox.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'edges' } }, 'test')
  })
  after(() => sandbox.stop())

  for (const { name, steps, expected } of CASES) {
    it(name, async () => {
      const answers: JsonObject[] = []
      for (const step of steps) {
        const accept = step.table ? { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } : {}
        const headers = { 'content-type': step.type ?? 'application/json', ...accept }
        const { body } = step
        answers.push(shown(step, await sandbox.send(step.method, step.path, { ...(body && { body }), headers })))
      }
      expect(answers).to.deep.equal(expected)
    })
  }
})

function shown({ pick, names, table, only }: Step, { status, headers, body }: HttpAnswer): JsonObject {
  const warning = [headers.warning ?? []].flat().join(', ')
  const { items = [], rows = [] } = body as unknown as { items?: KubeObject[]; rows?: Row[] }
  const row = rows.find(({ object }) => object.metadata.name === only)
  return {
    status,
    ...(status >= 400 && { message: body.message }),
    ...(warning !== '' && { warning }),
    ...(pick !== undefined && status < 400 && { picked: body[pick] ?? null }),
    ...(names && { names: items.map(({ metadata }) => metadata.name) as string[] }),
    ...(table && { cells: row?.cells.map((cell) => (/^\d+s$/.test(String(cell)) ? '<age>' : cell)) ?? null }),
  }
}
