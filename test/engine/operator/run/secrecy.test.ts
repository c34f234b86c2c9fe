import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import { connect } from '../../../../src/core/kube-client/connect.ts'
import { clientWith } from '../../../support/client-with.ts'
import { credsOf, READ_CREDS } from '../../../support/creds.ts'
import { OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'
import { formsIn, RecordedLog, toldBy } from '../../../support/secret-sinks.ts'

const CANARY = 'c4nary/Tr0ub4dor-9xQ'
/** Where the check of roles does not see the value of the Secret coming: another role or a person has put it there. */
const LAUNDERED = '  - get: { apiVersion: v1, kind: ConfigMap, name: copy }\n    register: copy\n'
const PLAIN = '$base64decode($creds.data.password)'

interface Attack {
  readonly name: string
  readonly tasks: string
  readonly reason: string
  /** The message of the condition, without the value. */
  readonly message: string
}

const ATTACKS: readonly Attack[] = [
  {
    name: 'in the message of an assert',
    tasks: `${READ_CREDS}  - assert: { that: ["\${false}"], message: "wrong: \${${PLAIN}}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'in the message of a fail, as base64',
    tasks: `${READ_CREDS}  - fail: { message: "wrong: \${$creds.data.password}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'in the message of a wait, by way of a ConfigMap that is read before the Secret',
    tasks: `${LAUNDERED}${READ_CREDS}  - wait: { for: "\${false}", message: "wrong: \${$copy.data.it}" }\n`,
    reason: 'Waiting',
    message: 'wrong: <redacted>',
  },
  {
    name: 'in a refusal of the server that quotes what was sent',
    tasks: `${READ_CREDS}  - ensure:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: { name: x, labels: { l: "\${${PLAIN} & ' !'}" } }\n`,
    reason: 'Invalid',
    message: 'metadata.labels: Invalid value: "<redacted>',
  },
  {
    name: 'in a refusal of what is not a name',
    tasks: `${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${${PLAIN}}" } }\n`,
    reason: 'Invalid',
    message: '`metadata.name` "<redacted>" is not a valid name',
  },
  {
    name: 'in a refusal of a name that is too long to be quoted',
    tasks: `${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${${PLAIN} & $pad('', 100, 'x')}" } }\n`,
    reason: 'Invalid',
    message: '`metadata.name` is not a valid name',
  },
  {
    name: 'in the error of an expression',
    tasks: `${READ_CREDS}  - set: { it: "\${$number(${PLAIN})}" }\n`,
    reason: 'Failed',
    message: 'set.it: D3030',
  },
  {
    name: 'in an error that an expression throws itself',
    tasks: `${READ_CREDS}  - set: { it: "\${$error('wrong: ' & ${PLAIN})}" }\n`,
    reason: 'Failed',
    message: 'D3137: <redacted>',
  },
  {
    name: 'in the status, by way of a ConfigMap',
    tasks: `${LAUNDERED}${READ_CREDS}  - wait: { for: "\${$exists($creds)}", message: m }\n  - name: Report\n    status: { note: "it is \${$copy.data.it}" }\n`,
    reason: 'Failed',
    message:
      'task "Report": cannot set `status.note`: it would show a value of a Secret (leave it out, or give a digest: `$sha256(…)`)',
  },
  {
    name: 'in the status, set before the Secret is read',
    tasks: `${LAUNDERED}  - status: { deep: [{ "\${$copy.data.it}": 1 }] }\n${READ_CREDS}`,
    reason: 'Failed',
    message: 'task "status": cannot set `status.deep[0]`: it would show a value of a Secret',
  },
  {
    name: 'in the name of an object that is not ready',
    tasks: `${READ_CREDS}  - ensure:\n      apiVersion: v1\n      kind: ConfigMap\n      metadata: { name: "\${$lowercase($replace(${PLAIN}, '/', '-'))}" }\n    readyWhen: "\${false}"\n`,
    reason: 'NotReady',
    message: 'ConfigMap default/<redacted> is not ready',
  },
  {
    name: 'in the failure that a rescue gets and reports',
    tasks: `${READ_CREDS}  - block:\n      tasks: [{ name: Inner, fail: { message: "wrong: \${${PLAIN}}" } }]\n      rescue:\n        - status: { why: "\${$failure.message}" }\n        - event: { type: Warning, reason: Broken, message: "\${$failure.message}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'in an event, by way of a ConfigMap',
    tasks: `${LAUNDERED}${READ_CREDS}  - event: { type: Normal, reason: Reported, message: "it is \${$copy.data.it}" }\n  - fail: { message: over }\n`,
    reason: 'Failed',
    message: 'over',
  },
  {
    name: 'read by a task that is marked as sensitive',
    tasks: `  - get: { apiVersion: v1, kind: ConfigMap, name: copy }\n    register: copy\n    sensitive: true\n  - fail: { message: "wrong: \${$copy.data.it}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'listed by a task that is marked as sensitive',
    tasks: `  - list: { apiVersion: v1, kind: ConfigMap }\n    register: copies\n    sensitive: true\n  - fail: { message: "wrong: \${$toJson($copies.data)}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'in the item of a loop',
    tasks: `${READ_CREDS}  - loop: "\${$each($creds.data, function($v) { $base64decode($v) })}"\n    assert: { that: ["\${false}"], message: "wrong: \${$item}" }\n`,
    reason: 'Failed',
    message: 'wrong: <redacted>',
  },
  {
    name: 'as the key of what is sent',
    tasks: `${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: x }, data: { "\${'{' & $base64encode(${PLAIN})}": it } }\n`,
    reason: 'Invalid',
    message: 'data[<redacted>]: Invalid value: "<redacted>"',
  },
  {
    name: 'as the path of a field that is handed over',
    tasks: `${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: x } }\n    handOver: ["\${'{' & $base64encode(${PLAIN})}"]\n`,
    reason: 'Invalid',
    message: '`handOver`: "<redacted>" is not a path of a field',
  },
]

/** Errors that are thrown outside of tasks. Their messages quote what was sent. */
const THROWN: readonly {
  readonly name: string
  readonly when: 'status' | 'delete'
  readonly error: Error
  readonly shown: string
}[] = [
  {
    name: 'a defect while the status is written',
    when: 'status',
    error: new Error('a defect', { cause: new Error(`at ${CANARY}`) }),
    shown: 'a defect: at <redacted>',
  },
  {
    name: 'a refusal of the status',
    when: 'status',
    error: new ApiError(422, 'Invalid', `status: Invalid value: "${CANARY}"`),
    shown: 'status: Invalid value: \\"<redacted>\\"',
  },
  {
    name: 'a right to write the status that is missing',
    when: 'status',
    error: new ApiError(403, 'Forbidden', `webhook says no to ${CANARY}`),
    shown: 'webhook says no to <redacted>',
  },
  {
    name: 'a refusal to delete what is left',
    when: 'delete',
    error: new ApiError(403, 'Forbidden', `webhook keeps ${CANARY}`),
    shown: 'webhook keeps <redacted>',
  },
]

describe('the value of a Secret is shown nowhere:', () => {
  let sandbox: OperatorSandbox
  let log: RecordedLog
  beforeEach(async () => {
    log = new RecordedLog()
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply(credsOf({ password: CANARY }))
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'copy' }, data: { it: CANARY } })
  })
  afterEach(() => sandbox.stop())

  for (const { name, tasks, reason, message } of ATTACKS) {
    it(name, async () => {
      sandbox.run(await projectOf({ widget: `tasks:\n${tasks}` }), { logger: log.logger })
      await sandbox.widget('w')
      const ready = await sandbox.ready(reason)
      expect(ready.message).to.contain(message)
      await sandbox.settled()
      const output = await toldBy(sandbox, log)
      expect(formsIn(output, CANARY)).to.deep.equal([])
      expect(output).to.not.contain(CANARY.toLowerCase().replace('/', '-'))
    })
  }

  for (const { name, when, error, shown } of THROWN) {
    it(`in ${name}`, async () => {
      await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
      const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'
      const role = `tasks:\n${READ_CREDS}  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: remote, namespace: shared}}\n`
      const { client } = sandbox
      let hits = 0
      const refuse = (at: typeof when): void => {
        if (when !== at || hits++ > 0) return
        throw error
      }
      const failing = clientWith(client, {
        patch: async (gvk, key, patch, options) => {
          if (options.subresource === 'status') refuse('status')
          return client.patch(gvk, key, patch, options)
        },
        delete: async (gvk, key, options) => {
          refuse('delete')
          return client.delete(gvk, key, options)
        },
      })
      sandbox.run(await projectOf({ widget: role }, watches), { logger: log.logger, client: failing })
      await sandbox.widget('w')
      const look = (): Promise<string> => toldBy(sandbox, log)
      if (when === 'delete') {
        await sandbox.ready('Ready')
        await sandbox.remove(WIDGET, 'w')
      }
      const said = await sandbox.until(
        look,
        (text) => text.includes(JSON.stringify(shown).slice(1, -1)) || text.includes(shown),
      )
      expect(formsIn(said, CANARY)).to.deep.equal([])
    })
  }

  it('in a warning of the server', async () => {
    const quoting = await OperatorSandbox.start({
      ...{ workloads: false, port: 0 },
      intercept: ({ phase, method, path }) => {
        if (phase !== 'before' || method !== 'PATCH' || !path.endsWith('/configmaps/x')) return undefined
        return { status: 500, headers: { warning: `299 - "unknown field \\"${CANARY}\\""` } }
      },
    })
    try {
      await quoting.apply(credsOf({ k: CANARY }))
      const role = `tasks:\n${READ_CREDS}  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n`
      const { url, token, ca } = quoting.access
      const server = { url, token, ca }
      const connection = await connect({ server, clock: systemClock, logger: log.logger, userAgent: 'rolebook/test' })
      quoting.run(await projectOf({ widget: role }), { logger: log.logger, client: connection.client })
      await quoting.widget('w')
      const said = await quoting.until(
        async () => log.lines.join('\n'),
        (lines) => lines.includes('the API server warns'),
      )
      await quoting.halt()
      await connection.close()
      expect(said).to.contain('unknown field').and.to.contain('<redacted>')
      expect(formsIn(said, CANARY)).to.deep.equal([])
    } finally {
      await quoting.stop()
    }
  })

  it('also in a run that ends before it has read the Secret again', async () => {
    const tasks = `${LAUNDERED}  - wait: { for: "\${$copy.data.go = 'yes'}", message: "waits with \${$copy.data.it}" }\n${READ_CREDS}`
    const data = { it: CANARY, go: 'yes' }
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'copy' }, data })
    sandbox.run(await projectOf({ widget: `tasks:\n${tasks}` }), { logger: log.logger })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'copy' },
      data: { ...data, go: 'no' },
    })
    expect((await sandbox.ready('Waiting')).message).to.contain('waits with <redacted>')
    expect(formsIn(await toldBy(sandbox, log), CANARY)).to.deep.equal([])
  })

  it('not even the copy that kubectl leaves in an annotation is there', async () => {
    const annotations = {
      'kubectl.kubernetes.io/last-applied-configuration': `{"stringData":{"password":"${CANARY}"}}`,
    }
    await sandbox.edit(SECRET, 'creds', { metadata: { annotations } })
    const tasks = `${READ_CREDS}  - fail: { message: "it has \${$count($keys($creds.metadata.annotations))} annotations" }\n`
    sandbox.run(await projectOf({ widget: `tasks:\n${tasks}` }), { logger: log.logger })
    await sandbox.widget('w')
    expect((await sandbox.ready('Failed')).message).to.contain('it has 0 annotations')
  })

  it('and a text that a role has without reading a Secret is shown unchanged', async () => {
    const tasks = `${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}-settings" } }\n    readyWhen: "\${false}"\n  - status: { host: "\${metadata.name}-settings", digest: "\${$sha256($creds.data)}" }\n`
    await sandbox.apply(credsOf({ host: 'w-settings' }))
    sandbox.run(await projectOf({ widget: `tasks:\n${tasks}` }), { logger: log.logger })
    await sandbox.widget('w')
    expect((await sandbox.ready('NotReady')).message).to.contain('ConfigMap default/w-settings is not ready')
    expect((await sandbox.get(WIDGET, 'w'))?.status).to.include({ host: 'w-settings' })
  })
})
