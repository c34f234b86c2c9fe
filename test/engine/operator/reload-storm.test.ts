import { expect } from 'chai'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const watching = (...kinds: readonly string[]): string =>
  kinds.map((kind) => `- {group: example.com, version: v1, kind: ${kind}, role: widget}\n`).join('')
const making = (size: string): string =>
  `tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: default}, data: {size: ${size}}}}]\n`

describe('a project that is exchanged 200 times in a row', () => {
  long.it('is followed to its last version, with the watches and queues that it had before', async () => {
    const sandbox = await OperatorSandbox.start()
    try {
      const small = await projectOf({ widget: making('small') })
      const large = await projectOf({ widget: making('large') }, watching('Widget', 'Gadget'))
      const operator = sandbox.run(small)
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.settled()
      const held = (): unknown => ({ watches: [...operator.watches()], queues: [...operator.queues()] })
      const before = held()
      for (let round = 0; round < 100; round++) {
        operator.replaceProject(large)
        operator.replaceProject(small)
        if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      await sandbox.settled()
      // A kind that was removed is served until it is certain that nothing of it is left.
      await sandbox.until(
        async () => [...operator.queues()].length,
        (kinds) => kinds === 1,
      )
      expect(held()).to.deep.equal(before)
      expect((await sandbox.get(CONFIG_MAP, 'm'))?.data).to.deep.equal({ size: 'small' })
    } finally {
      await sandbox.stop()
    }
  })
})
