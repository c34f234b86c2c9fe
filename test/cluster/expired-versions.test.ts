import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { ApiError } from '../../src/core/kube/api-error.ts'
import type { Reader } from '../../src/core/kube/client.ts'
import { Informer } from '../../src/engine/runtime/informer.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { untilSynced } from '../support/until-synced.ts'
import { FaultBench } from './fault-bench.ts'
import { requireBinaries } from './shared-control-plane.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
/** More than a page of a list. */
const MANY = 520

/** Without its cache the API server reads etcd itself, and knows no more of the past than etcd. */
describe('on an API server without a watch cache', function () {
  this.timeout(300_000)
  let plane: ControlPlane
  let bench: FaultBench

  before(async function () {
    requireBinaries(this)
    plane = await ControlPlane.start({ 'kube-apiserver': ['--watch-cache=false'] })
    bench = await FaultBench.start(plane)
    await bench.begin()
  })
  after(async () => {
    await bench?.stop()
    await plane?.stop()
  })

  it('the operator does its work', () => bench.expectHealth())

  it('the operator goes on when what its watches resume at was compacted', async () => {
    await bench.edit(true)
    await bench.converged(true)
    await plane.halt('kube-apiserver', 'SIGKILL')
    await plane.compact()
    await plane.restartApiServer()
    bench.kubectl('create', 'configmap', 'later', `--namespace=${bench.namespace}`)
    await plane.compact()
    await plane.restartApiServer('SIGKILL')
    await bench.expectHealth()
  })

  it('a list of several pages is begun anew when its version is compacted between two of them', async () => {
    const { client } = bench.cluster.connection
    const namespace = await bench.cluster.newNamespace('pages')
    const create = (name: string) =>
      client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }, { fieldManager: 'test' })
    await Promise.all(Array.from({ length: MANY }, (_, index) => create(`map-${index}`)))
    const refusals: ApiError[] = []
    let compactions = 0
    const reader: Reader = {
      get: (gvk, key, options) => client.get(gvk, key, options),
      async *watch(gvk, options) {
        if (options?.sendInitialEvents) throw new ApiError(400, 'BadRequest', 'lists are not streamed here')
        yield* client.watch(gvk, options)
      },
      async list(gvk, options) {
        if (options?.continue !== undefined && compactions++ === 0) {
          await create('after-the-first-page')
          await plane.compact()
        }
        return client.list(gvk, options).catch((error) => {
          refusals.push(error)
          throw error
        })
      },
    }
    const options = { client: reader, clock: systemClock, logger: nopLogger }
    const informer = new Informer({ gvk: CONFIG_MAP, namespace }, options)
    const stop = new AbortController()
    const running = informer.start(stop.signal)
    await untilSynced(informer)
    stop.abort()
    await running
    expect(refusals.map(({ httpStatus, reason }) => [httpStatus, reason])).to.deep.equal([[410, 'Expired']])
    expect(informer.cache.list()).to.have.length(MANY + 2) // and `kube-root-ca.crt`
  })
})
