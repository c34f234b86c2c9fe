import { expect } from 'chai'
import { failureReply } from '../../../support/failure-reply.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n'
const REFUSAL = failureReply(
  403,
  'Forbidden',
  'widgets.example.com "w" is forbidden: User "x" cannot patch resource "widgets/status" in API group "example.com" in the namespace "default"',
)

describe('A status that may not be written', () => {
  it('is said once for its kind with the rule to grant, and ends the run', async () => {
    const sandbox = await OperatorSandbox.start({
      workloads: false,
      intercept: ({ phase, method, path }) =>
        phase === 'before' && method === 'PATCH' && path.includes('/status') ? REFUSAL : undefined,
    })
    try {
      sandbox.run(await projectOf({ widget: ROLE }))
      for (const name of ['a', 'b', 'c']) await sandbox.widget(name)
      for (const name of ['a', 'b', 'c']) {
        await sandbox.until(
          () => sandbox.get(CONFIG_MAP, name),
          (child) => child !== undefined,
        )
      }
      await sandbox.settled()
      expect(sandbox.warnings).to.deep.equal([
        'Widget.example.com shows no status: cannot patch widgets/status in namespace "default": the right is missing (grant {apiGroups: ["example.com"], resources: [widgets/status], verbs: [patch]})',
      ])
      expect(new Set(sandbox.runs.map(({ request }) => request.name)).size).to.equal(3)
      expect(sandbox.runs.map(({ outcome }) => outcome)).to.include('failed')
    } finally {
      await sandbox.stop()
    }
  })

  it('of a resource that is paused says so when the right is granted, although nothing else happens', async () => {
    let mayWrite = true
    const sandbox = await OperatorSandbox.start({
      workloads: false,
      intercept: ({ phase, path }) =>
        phase === 'before' && !mayWrite && path.endsWith('/status') ? REFUSAL : undefined,
    })
    try {
      sandbox.run(await projectOf({ widget: ROLE }), { clock: fastClock(10) })
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      mayWrite = false
      await sandbox.widget('w', {}, { annotations: { 'rolebook.dev/paused': 'true' } })
      await sandbox.until(
        async () => sandbox.runs.at(-1)?.outcome,
        (outcome) => outcome === 'paused',
      )
      mayWrite = true
      await sandbox.ready('Paused')
    } finally {
      await sandbox.stop()
    }
  })
})
