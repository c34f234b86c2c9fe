import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../../src/core/base/json.ts'
import { Sandbox } from '../../sandbox.ts'

const PODS = '/api/v1/namespaces/default/pods'
const headers = { 'content-type': 'application/strategic-merge-patch+json' }

describe('a running pod', () => {
  const sandbox = new Sandbox({ workloads: true, stages: { podStarted: 0, podReady: 0 } })
  before(() => sandbox.start())
  after(() => sandbox.stop())

  const patch = async (subresource: string, spec: JsonObject): Promise<number> =>
    (await sandbox.send('PATCH', `${PODS}/web/${subresource}`, { headers, body: { spec } })).status
  const resized = (cpu: string): Promise<number> =>
    patch('resize', { containers: [{ name: 'web', resources: { limits: { cpu } } }] })

  async function findInStatus(
    find: (status: Record<string, readonly JsonObject[] | undefined>) => JsonValue | undefined,
  ) {
    for (let attempt = 0; attempt < 200; attempt++) {
      const { body } = await sandbox.send('GET', `${PODS}/web`)
      const found = find(body.status as unknown as Record<string, readonly JsonObject[]>)
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return undefined
  }
  const limitIs = (cpu: string) =>
    findInStatus(({ containerStatuses }) => {
      const { resources } = (containerStatuses?.[0] ?? {}) as { resources?: { limits: JsonObject } }
      return resources?.limits.cpu === cpu ? cpu : undefined
    })

  it('is resized, again and again', async () => {
    const containers = [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }]
    await sandbox.send('POST', PODS, { body: { metadata: { name: 'web' }, spec: { containers } } })
    expect(await limitIs('2')).to.equal('2')
    expect(await resized('3')).to.equal(200)
    expect(await limitIs('3')).to.equal('3')
    expect(await resized('4')).to.equal(200)
    expect(await limitIs('4')).to.equal('4')
  })

  it('is debugged by a container beside the others', async () => {
    const container = { name: 'debugger', image: 'busybox:1', targetContainerName: 'web' }
    expect(await patch('ephemeralcontainers', { ephemeralContainers: [container] })).to.equal(200)
    const state = await findInStatus(({ ephemeralContainerStatuses }) => ephemeralContainerStatuses?.[0]?.state)
    expect(state).to.have.property('running')
  })
})
