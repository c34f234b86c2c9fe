import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import { clientWith } from '../../../support/client-with.ts'
import { credsOf, READ_CREDS } from '../../../support/creds.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'
import { formsIn, RecordedLog, toldBy } from '../../../support/secret-sinks.ts'

const FORMER = 'hunter2-former-value'
const NAME = '"x-\x24{$base64decode($creds.data.password)}"'

describe('the value of a Secret that is not read any more, in the name of an object', () => {
  let sandbox: OperatorSandbox
  let log: RecordedLog

  beforeEach(async () => {
    log = new RecordedLog()
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply(credsOf({ password: FORMER }))
  })
  afterEach(() => sandbox.stop())

  it('is shown nowhere while the object is being deleted, after the `finalize` tasks', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
    const held = `metadata: { name: ${NAME}, namespace: shared, finalizers: [example.com/held] }`
    const role = `tasks:\n${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, ${held} }
finalize:
  - event: { type: Normal, reason: Goes, message: it goes }
`
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'
    sandbox.run(await projectOf({ widget: role }, watches), { logger: log.logger })
    await sandbox.widget('w')
    await sandbox.ready('Ready')

    await sandbox.remove(WIDGET, 'w')
    const messageOf = async (): Promise<string> => (await sandbox.condition('Ready'))?.message ?? ''
    const message = await sandbox.until(messageOf, (text) => text.includes('is being deleted'))
    await sandbox.settled()
    expect(message).to.contain('ConfigMap shared/<redacted> is being deleted')
    expect(formsIn(await toldBy(sandbox, log), FORMER)).to.deep.equal([])
  })

  it('is shown nowhere while the object is removed, which fails at first', async () => {
    const role = `tasks:\n${READ_CREDS}  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: ${NAME} } }\n`
    let failures = 0
    const client = clientWith(sandbox.client, {
      delete: async (gvk, key, options) => {
        if (failures++ < 2) throw new ApiError(503, 'ServiceUnavailable', `webhook is away for ${key.name}`)
        return sandbox.client.delete(gvk, key, options)
      },
    })
    sandbox.run(await projectOf({ widget: role }), { logger: log.logger, client })
    await sandbox.widget('w')
    await sandbox.ready('Ready')

    await sandbox.edit(SECRET, 'creds', { stringData: { password: 'brandnew-9x-other' } })
    await sandbox.gone(CONFIG_MAP, `x-${FORMER}`)
    await sandbox.settled()
    const output = await toldBy(sandbox, log)
    expect(output).to.contain('removed ConfigMap default/<redacted>')
    expect(output).to.contain('webhook is away for <redacted>')
    expect(formsIn(output, FORMER)).to.deep.equal([])
  })
})
