import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../src/core/base/json.ts'
import { buildClient } from '../control-plane/clients.ts'
import { mask } from '../sandbox/contract/mask.ts'
import { ClientProgram } from './client-program.ts'
import { ClientServer, type JsonReply } from './client-server.ts'
import { differences } from './differences.ts'
import { arrange, type FinalObjects, finalObjects } from './final-objects.ts'
import { PageScenario } from './page-scenario.ts'

const NAMESPACE = 'controller-runtime-suite'
const COLLECTIONS = [
  '/apis/controller-runtime.rolebook.test/v1/pages',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/api/v1/pods',
  '/api/v1/configmaps',
  '/api/v1/services',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/apis/coordination.k8s.io/v1/leases',
]

type Step = readonly [name: string, run: (scenario: PageScenario) => Promise<JsonReply>]

const FIRST_LEADER: readonly Step[] = [
  ['resources are created', (scenario) => scenario.create()],
  ['resources are refused', (scenario) => scenario.refuse()],
  ['a resource is updated', (scenario) => scenario.update()],
  ['a resource is scaled', (scenario) => scenario.scale()],
  ['what a resource names is created', (scenario) => scenario.addTheme()],
  ['what the operator made is broken by hand', (scenario) => scenario.breakByHand()],
  ['a resource is deleted', (scenario) => scenario.remove()],
]

const SECOND_LEADER: readonly Step[] = [['another leader took over', (scenario) => scenario.edit('of the second')]]

describe('a controller-runtime operator', () => {
  let real: ReadonlyMap<string, JsonValue> = new Map()
  let sandbox: ReadonlyMap<string, JsonValue> = new Map()

  before(async function () {
    real = await run(await ClientServer.real(this), buildClient('controller-runtime'))
    sandbox = await run(await ClientServer.sandbox(), buildClient('controller-runtime'))
  })

  for (const [name] of [...FIRST_LEADER, ...SECOND_LEADER]) {
    it(`leaves the same on both servers after ${name}`, () => {
      expect(differences(sandbox.get(name), real.get(name)).join('\n')).to.equal('')
    })
  }
  it('reports the same events on both servers', () => {
    expect(sandbox.get('events')).to.deep.equal(real.get('events'))
  })
  it('releases its lease when it is stopped', () => {
    expect(sandbox.get('exit codes')).to.deep.equal(real.get('exit codes')).and.to.deep.equal([0, 0])
  })
})

/** What stands there after each step, by its name. */
async function run(server: ClientServer, path: string): Promise<ReadonlyMap<string, JsonValue>> {
  const seen = new Map<string, JsonValue>()
  const scenario = new PageScenario(server, NAMESPACE)
  const take = async ([name, step]: Step): Promise<void> => {
    const { status } = await step(scenario)
    seen.set(name, { status, objects: await objectsOn(server) })
  }
  await server.createNamespace(NAMESPACE)
  await scenario.install()
  const args = ['--server', server.kubeconfig, '--namespace', NAMESPACE]
  const first = new ClientProgram(path, args)
  let second: ClientProgram | undefined
  try {
    await first.until('leads', (text) => text.includes('Starting workers'))
    second = new ClientProgram(path, args)
    await second.until('waits', (text) => text.includes('Attempting to acquire leader lease'))
    for (const step of FIRST_LEADER) await take(step)
    const codes = [await first.stop()]
    for (const step of SECOND_LEADER) await take(step)
    seen.set('events', await eventsOn(server))
    seen.set('exit codes', [...codes, await second.stop()])
  } catch (error) {
    throw new Error(`${error}\n${first.output.slice(-5000)}\n${second?.output.slice(-5000)}`)
  } finally {
    await Promise.all([first.stop(), second?.stop()])
    await server.close()
  }
  return seen
}

function objectsOn(server: ClientServer): Promise<FinalObjects> {
  return finalObjects(server, NAMESPACE, COLLECTIONS)
}

/** What the operator itself reported; how often it did is a matter of time. */
async function eventsOn(server: ClientServer): Promise<JsonValue> {
  const { body } = await server.send('GET', `/apis/events.k8s.io/v1/namespaces/${NAMESPACE}/events`)
  const own = (body.items as JsonObject[]).filter(({ reportingController }) => reportingController === 'page-operator')
  const texts = own.map(({ metadata: _, eventTime: _t, reportingInstance: _i, series: _s, ...event }) => {
    return JSON.stringify(arrange(mask(event, NAMESPACE)))
  })
  return [...new Set(texts)].sort()
}
