import { expect } from 'chai'
import { long } from '../../../support/long-tests.ts'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

/** Objects that are not there cost nothing to patch, and count all the same. */
const ROLE = `tasks:
  - name: Many
    loop: \${[1..6]}
    loopVar: turn
    block:
      tasks:
        - loop: \${[1..1000]}
          loopVar: one
          patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: "c-\${$turn}-\${$one}" }, data: { a: b } }
`

describe('the objects of one resource', function () {
  this.timeout(60_000)

  long.it('are at most 5,000, and the condition says so', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    try {
      sandbox.run(await projectOf({ widget: ROLE }))
      await sandbox.widget('w')
      for (let looks = 0; looks < 100 && sandbox.runs.length === 0; looks++) await sandbox.settled()
      const { message } = await sandbox.ready('Failed')
      expect(message).to.contain('one resource has at most 5000 objects')
    } finally {
      await sandbox.stop()
    }
  })
})
