import { expect } from 'chai'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const OBJECTS = 22
/** How many tasks of a run are at work at the same time, by default. */
const AT_ONCE = 8

/** A server that answers to no write before as many have come as may come: what a slow one sees, without its slowness. */
class Waves {
  readonly sizes: number[] = []
  #held: (() => void)[] = []
  #left: number

  constructor(writes: number) {
    this.#left = writes
  }

  async join(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#held.push(resolve)
      if (this.#held.length === Math.min(AT_ONCE, this.#left)) this.#release()
    })
  }

  #release(): void {
    const held = this.#held
    this.#held = []
    this.#left -= held.length
    this.sizes.push(held.length)
    for (const resolve of held) resolve()
  }
}

/** Writes of ConfigMaps go in waves. */
function inWaves(client: KubeClient, waves: Waves): KubeClient {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'apply') return value.bind(target)
      return async (object: KubeObject, options: Parameters<KubeClient['apply']>[1]) => {
        if (object.kind === 'ConfigMap') await waves.join()
        return target.apply(object, options)
      }
    },
  })
}

describe('a role of 22 objects that need nothing of one another', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('is written in three waves by the whole operator: 600 ms where a write takes 200', async () => {
    const waves = new Waves(OBJECTS)
    const map = '{apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}-INDEX"}}'
    const tasks = Array.from({ length: OBJECTS }, (_, index) => `  - ensure: ${map.replace('INDEX', String(index))}\n`)
    sandbox.run(await projectOf({ widget: `tasks:\n${tasks.join('')}` }), { client: inWaves(sandbox.client, waves) })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect(waves.sizes).to.deep.equal([8, 8, 6])
  })
})
