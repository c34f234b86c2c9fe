import { expect } from 'chai'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const child = (data: string): string =>
  `ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, data: ${data}}`
const cases: { name: string; task: string; says: string[] }[] = [
  { name: 'a function', task: child('{a: "${$uppercase(spec.size)}"}'), says: ['data.a: ', 'T0410', 'uppercase'] },
  { name: 'an operator in a text', task: child('{a: "x-${spec.size + spec.word}"}'), says: ['data.a: ', 'T2002', '+'] },
  {
    name: 'a message',
    task: 'fail: {message: "x-${$uppercase(spec.size)}"}',
    says: ['message: ', 'T0410', 'uppercase'],
  },
  {
    name: 'a loop',
    task: `${child('{}')}\n    loop: "\${$uppercase(spec.size)}"`,
    says: ['loop: ', 'T0410', 'uppercase'],
  },
  { name: 'a variable', task: 'set: {shout: "${$uppercase(spec.size)}"}', says: ['set.shout: ', 'T0410', 'uppercase'] },
  { name: 'a field of the status', task: 'status: {a: "${$uppercase(spec.size)}"}', says: ['status.a: ', 'T0410'] },
  { name: 'a whole status', task: 'status: "${$uppercase(spec.size)}"', says: ['status: ', 'T0410', 'uppercase'] },
  {
    name: 'a condition',
    task: `${child('{}')}\n    when: "\${$uppercase(spec.size)}"`,
    says: ['when: ', 'T0410', 'uppercase'],
  },
]

describe('An expression that fails', () => {
  for (const { name, task, says } of cases) {
    it(`is reported with field, code and function, and without any value: ${name}`, async () => {
      const sandbox = await OperatorSandbox.start({ workloads: false })
      try {
        sandbox.run(await projectOf({ widget: `tasks:\n  - name: Make\n    ${task}\n` }))
        await sandbox.widget('w', { size: 421_042, word: 'hush' })
        const { message } = await sandbox.ready('Failed')
        for (const text of ['task "Make": ', ...says]) expect(message).to.include(text)
        expect(message).to.not.match(/421042|hush/)
      } finally {
        await sandbox.stop()
      }
    })
  }
})
