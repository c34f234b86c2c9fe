import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { customResourceDefinition, type HttpAnswer, Sandbox } from '../sandbox.ts'

const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets'
const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' }, color: { type: 'string' } } },
    status: { type: 'object', properties: { replicas: { type: 'integer' } } },
  },
}
const VERSION: JsonObject = {
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: SCHEMA },
  subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  selectableFields: [{ jsonPath: '.spec.color' }],
}

/** Compared with the real server. */
describe('Custom resources with status, scale and fields to select by', () => {
  const sandbox = new Sandbox()
  before(async () => {
    await sandbox.start()
    sandbox.objects.create(customResourceDefinition('widgets', 'Widget', { versions: [VERSION] }), 'test')
    await create('red', { color: 'red', replicas: 2 })
    await create('plain', {})
  })
  after(() => sandbox.stop())

  const widget = (name: string, more: JsonObject): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name },
    ...more,
  })
  const create = (name: string, spec: JsonObject): Promise<HttpAnswer> =>
    sandbox.send('POST', WIDGETS, { body: widget(name, { spec }) })

  const limits: readonly { readonly replicas: number; readonly message: string }[] = [
    { replicas: -1, message: '.spec.replicas: Invalid value: -1: should be a non-negative integer' },
    {
      replicas: 3_000_000_000,
      message: '.spec.replicas: Invalid value: 3000000000: should be less than or equal to 2147483647',
    },
  ]
  for (const { replicas, message } of limits) {
    it(`cannot have ${replicas} replicas`, async () => {
      const { body } = await create('many', { replicas })
      expect(body.message).to.equal(`Widget.example.com "many" is invalid: ${message}`)
    })
  }

  const selected: Readonly<Record<string, readonly string[]>> = { red: ['red'], '': ['plain'], blue: [] }
  for (const [color, names] of Object.entries(selected)) {
    it(`are found by the colour "${color}"`, async () => {
      const { body } = await sandbox.send('GET', `${WIDGETS}?fieldSelector=spec.color%3D${color}`)
      const items = body.items as unknown as { metadata: { name: string } }[]
      expect(items.map(({ metadata }) => metadata.name)).to.deep.equal(names)
    })
  }

  it('lose their status when it is put away', async () => {
    const { body } = await sandbox.send('GET', `${WIDGETS}/red`)
    const given = await sandbox.send('PUT', `${WIDGETS}/red/status`, { body: { ...body, status: { replicas: 2 } } })
    expect(given.body.status).to.deep.equal({ replicas: 2 })
    const { status: _status, ...rest } = given.body
    const taken = await sandbox.send('PUT', `${WIDGETS}/red/status`, { body: rest })
    expect(taken.status).to.equal(200)
    expect(taken.body).not.to.have.property('status')
  })

  it('have a scale without a selector when the CRD names none', async () => {
    const { body } = await sandbox.send('GET', `${WIDGETS}/red/scale`)
    expect(body.spec).to.deep.equal({ replicas: 2 })
    expect(body.status).to.deep.equal({ replicas: 0 })
  })

  for (const [spec, type] of [
    [7, 'int64'],
    [1e21, 'float64'],
  ] as const) {
    it(`name the type that Go reads on the way to the replicas: ${spec}`, async () => {
      const [headers, body] = [{ 'content-type': 'application/merge-patch+json' }, { spec }]
      const { status, body: answer } = await sandbox.send('PATCH', `${WIDGETS}/red`, { headers, body })
      expect(status).to.equal(422)
      expect(answer.message).to.include(`is of the type ${type}, expected map[string]interface{}`)
    })
  }
})
