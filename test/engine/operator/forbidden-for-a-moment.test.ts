import { expect } from 'chai'
import { failureReply } from '../../support/failure-reply.ts'
import { fastClock } from '../../support/fast-clock.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n'
/** As an API server answers that has not read its bindings yet. */
const REFUSAL = failureReply(
  403,
  'Forbidden',
  'configmaps "w" is forbidden: User "x" cannot patch resource "configmaps" in API group "" in the namespace "default"',
)

describe('A server that refuses everything for a moment', () => {
  it('costs the operator seconds, not minutes', async () => {
    let isStarting = true
    const sandbox = await OperatorSandbox.start({
      workloads: false,
      intercept: ({ phase, method, path }) =>
        isStarting && phase === 'before' && method === 'PATCH' && path.includes('/configmaps/w') ? REFUSAL : undefined,
    })
    try {
      sandbox.run(await projectOf({ widget: ROLE }), { clock: fastClock(20) })
      await sandbox.widget('w')
      await sandbox.ready('Forbidden')
      isStarting = false
      await sandbox.ready('Ready') // within 8 s: 160 s of the clock, where a failure that needs a person waits 300 s
      expect(await sandbox.get(CONFIG_MAP, 'w')).to.not.equal(undefined)
    } finally {
      await sandbox.stop()
    }
  })
})
