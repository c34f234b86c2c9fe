import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { Sandbox } from '../sandbox.ts'

const PODS = '/api/v1/namespaces/default/pods'
const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } }

interface Row {
  readonly name: string
  readonly status: JsonObject
  readonly code: number
  readonly message: RegExp
}

const current = { observedGeneration: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }
const condition = (reason: string, message: string): JsonObject => ({
  conditions: [
    { type: 'DisruptionAllowed', status: 'False', reason, message, lastTransitionTime: '2020-01-01T00:00:00Z' },
  ],
})
const crowd = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`p${index}`, '2020-01-01T00:00:00Z']))

/** What controllers write only while they work, and so cannot be compared with a real server. */
const REFUSALS: readonly Row[] = [
  { name: 'its controller has not seen it', status: {}, code: 429, message: /still being processed by the server/ },
  {
    name: 'too many wait for its controller',
    status: { ...current, disruptionsAllowed: 1, disruptedPods: crowd },
    code: 403,
    message: /DisruptedPods map too big/,
  },
  {
    name: 'its controller failed',
    status: { ...current, ...condition('SyncFailed', 'no scale') },
    code: 429,
    message: /does not allow evicting pods currently because it failed sync: no scale/,
  },
  {
    name: 'its condition has a message',
    status: { ...current, ...condition('Other', 'wait') },
    code: 429,
    message: /does not allow evicting pods currently \(Other\): wait/,
  },
  { name: 'no condition says why', status: current, code: 429, message: /does not allow evicting pods currently"/ },
]

describe('A disruption budget', () => {
  let sandbox: Sandbox

  beforeEach(async () => {
    sandbox = new Sandbox()
    await sandbox.start()
    const labels = { app: 'a' }
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'c' }] }
    await sandbox.send('POST', PODS, { body: { metadata: { name: 'p', labels }, spec } })
    await merge(`${PODS}/p/status`, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] })
    const budget = { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } }
    await sandbox.send('POST', BUDGETS, { body: budget })
  })
  afterEach(() => sandbox.stop())

  async function merge(path: string, status: JsonObject): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const merged = await sandbox.send('PATCH', path, { headers, body: { status } })
    expect(merged.status, merged.text).to.equal(200)
  }

  for (const { name, status, code, message } of REFUSALS) {
    it(`holds an eviction when ${name}`, async () => {
      // Written by the server itself: validation would refuse some of it.
      const gvk = { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' }
      const budget = sandbox.objects.get(gvk, { namespace: 'default', name: 'b' })
      sandbox.objects.update({ ...budget, status } as never, 'test', 'status')
      const refused = await sandbox.send('POST', `${PODS}/p/eviction`, { body: EVICTION })
      expect(refused.status, refused.text).to.equal(code)
      expect(refused.text).to.match(message)
    })
  }

  const spent: readonly { name: string; allowed: number; more?: JsonObject; conditions: JsonObject | undefined }[] = [
    { name: 'one of two', allowed: 2, conditions: undefined },
    { name: 'the last', allowed: 1, conditions: { reason: 'InsufficientPods' } },
    {
      name: 'the last, known already',
      allowed: 1,
      more: condition('Other', ''),
      conditions: { reason: 'InsufficientPods', lastTransitionTime: '2020-01-01T00:00:00Z' },
    },
  ]
  for (const { name, allowed, more, conditions } of spent) {
    it(`counts ${name}`, async () => {
      await merge(`${BUDGETS}/b/status`, { ...current, disruptionsAllowed: allowed, ...more })
      expect((await sandbox.send('POST', `${PODS}/p/eviction`, { body: EVICTION })).status).to.equal(201)
      const { body } = await sandbox.send('GET', `${BUDGETS}/b`)
      const status = body.status as JsonObject
      expect(status.disruptionsAllowed).to.equal(allowed - 1)
      expect(status.disruptedPods).to.have.property('p')
      if (conditions) expect((status.conditions as JsonObject[])[0]).to.include(conditions)
      else expect(status.conditions).to.equal(undefined)
    })
  }
})
