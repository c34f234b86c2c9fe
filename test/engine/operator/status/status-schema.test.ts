import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const ODD = { group: 'odd.example.com', version: 'v1', kind: 'Odd' }
const WATCHES = '- {group: odd.example.com, version: v1, kind: Odd, role: widget}\n'
const ROLE = `
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}
  - status: {extra: e, deep: {known: k, lost: l}}
`
const TEXT = { type: 'string' }
const ITEM = { type: TEXT, status: TEXT, reason: TEXT, message: TEXT }
const TIME = { lastTransitionTime: TEXT }
const GENERATION = { observedGeneration: { type: 'integer' } }

function statusWith(item: JsonObject, more: JsonObject = { extra: TEXT }): JsonObject {
  const conditions = { type: 'array', items: { type: 'object', properties: item } }
  const deep = { type: 'object', properties: { known: TEXT } }
  return { type: 'object', properties: { ...GENERATION, ...more, deep, conditions } }
}

describe('A status whose schema lacks a field', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const apply = (spec: JsonObject = {}): Promise<unknown> =>
    sandbox.apply({ apiVersion: 'odd.example.com/v1', kind: 'Odd', metadata: { name: 'w' }, spec })
  const status = async (): Promise<JsonObject> => ((await sandbox.get(ODD, 'w'))?.status ?? {}) as JsonObject

  const cases: { name: string; item: JsonObject; lost: string }[] = [
    {
      name: 'of an item and of a map',
      item: { ...ITEM, ...TIME },
      lost: '`status.deep.lost`, `status.conditions[].observedGeneration`',
    },
    {
      name: 'that changes with time',
      item: { ...ITEM, ...GENERATION },
      lost: '`status.deep.lost`, `status.conditions[].lastTransitionTime`',
    },
  ]
  for (const { name, item, lost } of cases) {
    it(`costs no write at rest and after a restart, and is said once: ${name}`, async () => {
      await sandbox.cluster.install(crd(ODD, { status: statusWith(item) }))
      const project = await projectOf({ widget: ROLE }, WATCHES)
      sandbox.run(project)
      await apply()
      await sandbox.ready('Ready', { gvk: ODD })
      expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/part', 'patch Odd/status default/w'])
      await sandbox.edit(CONFIG_MAP, 'part', { data: { theirs: 'x' } })
      expect(await sandbox.settled()).to.deep.equal([])
      expect(sandbox.warnings).to.deep.equal([
        `Odd.odd.example.com has no ${lost} in its schema: the status is written without`,
      ])
      await sandbox.restart(project)
      expect(await sandbox.settled()).to.deep.equal([])
      expect((await status()).deep).to.deep.equal({ known: 'k' })
    })
  }

  it('is written when the field has come and the role is loaded again', async () => {
    const item = { ...ITEM, ...TIME, ...GENERATION }
    let served = statusWith(item, {})
    const openApi = {
      document: async () => ({
        components: { schemas: { Odd: { 'x-kubernetes-group-version-kind': [ODD], properties: { status: served } } } },
      }),
    }
    await sandbox.cluster.install(crd(ODD, { status: served }))
    const operator = sandbox.run(await projectOf({ widget: ROLE }, WATCHES), { openApi })
    await apply()
    await sandbox.ready('Ready', { gvk: ODD })
    expect((await status()).extra).to.equal(undefined)
    served = statusWith(item)
    await sandbox.cluster.install(crd(ODD, { status: served }))
    operator.replaceProject(
      await projectOf({ widget: `${ROLE}  - {name: More, when: "\${false}", status: {b: c}}\n` }, WATCHES),
    )
    await sandbox.until(status, ({ extra }) => extra === 'e')
  })
})
