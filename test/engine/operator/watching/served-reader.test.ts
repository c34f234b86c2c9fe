import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { Reader } from '../../../../src/core/kube/client.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { ResourceMapper, ResourceMapping } from '../../../../src/core/kube/resource-mapper.ts'
import { servedReader } from '../../../../src/engine/operator/watching/unserved-kinds.ts'
import { CONFIG_MAP } from '../../../support/fake-cluster.ts'
import { partOf } from '../../../support/part-of.ts'

const NOT_SERVED = new ApiError(404, 'KindNotServed', 'x')
const AWAY = new ApiError(503, 'ServiceUnavailable', 'x')

describe('servedReader', () => {
  let clock: FakeClock
  let sent: string[]
  let refusal: Error | undefined
  let isServed: boolean
  let answer: Promise<void>
  let reader: Reader
  beforeEach(() => {
    clock = new FakeClock()
    sent = []
    isServed = false
    answer = Promise.resolve()
    const send = (what: string): void => {
      sent.push(what)
      if (refusal) throw refusal
    }
    const server = partOf<Reader>({
      get: async () => {
        send('get')
        return undefined
      },
      list: async () => {
        send('list')
        return { items: [], resourceVersion: '1' }
      },
      watch: async function* () {
        send('watch')
        yield* []
      },
    })
    const mappingFor = async (gvk: Gvk): Promise<ResourceMapping> => {
      await answer
      if (!isServed) throw NOT_SERVED
      return { gvk, plural: 'configmaps', namespaced: true, subresources: [], verbs: [] }
    }
    reader = servedReader(server, { mapper: partOf<ResourceMapper>({ mappingFor }), clock })
  })

  const requests: { name: 'list' | 'watch'; send: (signal: AbortSignal) => Promise<unknown> }[] = [
    { name: 'list', send: (signal) => reader.list(CONFIG_MAP, { signal }) },
    { name: 'watch', send: (signal) => Array.fromAsync(reader.watch(CONFIG_MAP, { signal })) },
  ]
  for (const { name, send } of requests) {
    const refused = async (error: Error, signal = new AbortController().signal): Promise<unknown> => {
      refusal = error
      const outcome = await send(signal).catch((thrown: Error) => thrown)
      refusal = undefined
      return outcome
    }

    it(`holds a ${name} back after its kind was not served, until it is`, async () => {
      expect(await refused(NOT_SERVED)).to.equal(NOT_SERVED)
      const held = send(new AbortController().signal)
      await clock.advance(600_000)
      expect(sent).to.deep.equal([name])
      isServed = true
      await clock.advance(60_000)
      await held
      expect(sent).to.deep.equal([name, name])
    })

    it(`lets a ${name} that is held back end when its caller aborts it`, async () => {
      await refused(NOT_SERVED)
      const stop = new AbortController()
      const held = send(stop.signal).catch((error: Error) => error.message)
      await clock.settle()
      stop.abort(new Error('stopped'))
      expect(await held).to.equal('stopped')
      expect([sent, clock.pending]).to.deep.equal([[name], 0])
    })

    it(`lets a ${name} end when its caller aborts it, also while discovery does not answer`, async () => {
      await refused(NOT_SERVED)
      answer = new Promise(() => undefined)
      const stop = new AbortController()
      const held = send(stop.signal).catch((error: Error) => error.message)
      await clock.settle()
      stop.abort(new Error('stopped'))
      expect([await held, sent]).to.deep.equal(['stopped', [name]])
    })

    it(`sends a ${name} again at once after any other failure`, async () => {
      expect(await refused(AWAY)).to.equal(AWAY)
      await send(new AbortController().signal)
      expect(sent).to.deep.equal([name, name])
    })
  }

  it('holds no get back: a caller that asks for one object needs the answer', async () => {
    refusal = NOT_SERVED
    for (let time = 0; time < 2; time++)
      expect(await reader.get(CONFIG_MAP, { namespace: 'd', name: 'a' }).catch((error: Error) => error)).to.equal(
        NOT_SERVED,
      )
    refusal = undefined
    expect(sent).to.deep.equal(['get', 'get'])
  })
})
