import { expect } from 'chai'
import { type LogFields, type Logger, nopLogger } from '../../../../src/core/base/logger.ts'
import { runLog } from '../../../../src/rolebook/cli/run-log.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const WATCH = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: [other]}}\n'
const ROLE = `
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: far, namespace: other}}
  - {retain: true, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept}}}
`

describe('the log of the end of a resource', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } })
  })
  afterEach(() => sandbox.stop())

  it('names each object that is removed, once, and none that stays', async () => {
    const lines: string[] = []
    const info = (message: string, fields?: LogFields): void => void lines.push(`${message} ${String(fields?.object)}`)
    const logger: Logger = { ...nopLogger, info, child: () => logger }
    sandbox.run(await projectOf({ widget: ROLE }, WATCH), { onRun: runLog(logger) })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    lines.splice(0)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    await sandbox.settled()
    expect(lines).to.deep.equal(['object removed ConfigMap other/far'])
    expect(await sandbox.get(CONFIG_MAP, 'kept')).to.not.equal(undefined)
  })
})
