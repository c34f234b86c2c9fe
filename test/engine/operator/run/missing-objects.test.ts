import { expect } from 'chai'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const cases: { name: string; task: string; expected: string }[] = [
  {
    name: 'of the own namespace',
    task: 'get: { apiVersion: v1, kind: ConfigMap, name: nothere }',
    expected: 'ConfigMap default/nothere does not exist',
  },
  {
    name: 'to be patched',
    task: 'patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: nothere }, data: { a: b } }',
    expected: 'ConfigMap default/nothere does not exist',
  },
  {
    name: 'of a cluster-scoped kind',
    task: 'get: { apiVersion: v1, kind: Namespace, name: nothere }',
    expected: 'Namespace nothere does not exist',
  },
]
const WATCHES = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {read: ["*"]}}\n'

describe('A missing object', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  for (const { name, task, expected } of cases) {
    it(`${name} is named with its namespace: ${expected}`, async () => {
      sandbox.run(await projectOf({ widget: `tasks:\n  - ${task}\n` }, WATCHES))
      await sandbox.widget('w')
      const { message } = await sandbox.ready('Waiting')
      expect(message).to.contain(expected)
    })
  }
})
