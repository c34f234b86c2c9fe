import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const EVENT = { group: '', version: 'v1', kind: 'Event' }

/** A ConfigMap as a task. */
const map = (name: string, data: string): string =>
  `  - {name: Make ${name}, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}, data: ${data}}}\n`

describe('the events that the engine records by itself', () => {
  let sandbox: OperatorSandbox

  beforeEach(async () => {
    sandbox = await OperatorSandbox.start()
  })
  afterEach(() => sandbox.stop())

  /** `Normal Created created ConfigMap default/a`, sorted. */
  const eventTexts = async (): Promise<readonly string[]> => {
    const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
    const own = items.filter(({ involvedObject }) => (involvedObject as KubeObject | undefined)?.kind === 'Widget')
    return own.map(({ type, reason, message }) => `${type} ${reason} ${message}`).sort()
  }
  /** Waits for events that contain the text, one each. */
  const hear = (...texts: readonly string[]): Promise<readonly string[]> =>
    sandbox.until(eventTexts, (seen) => texts.every((text) => seen.some((event) => event.includes(text))))

  it('name what it created, changed with its fields, and removed; there are none at rest or after a restart', async () => {
    const first = await projectOf({ widget: `tasks:\n${map('a', '{size: "${spec.size}"}')}${map('b', '{x: one}')}` })
    const operator = sandbox.run(first)
    await sandbox.widget('w', { size: 'one' })
    await hear('created ConfigMap default/a, ConfigMap default/b')
    await sandbox.widget('w', { size: 'two' })
    await hear('changed data.size of ConfigMap default/a')
    operator.replaceProject(await projectOf({ widget: `tasks:\n${map('a', '{size: "${spec.size}"}')}` }))
    await hear('removed ConfigMap default/b')
    await sandbox.settled()
    const all = await eventTexts()
    expect(all).to.deep.equal([
      'Normal Changed changed data.size of ConfigMap default/a',
      'Normal Created created ConfigMap default/a, ConfigMap default/b',
      'Normal Removed removed ConfigMap default/b',
    ])
    sandbox.events.splice(0)
    await sandbox.restart(await projectOf({ widget: `tasks:\n${map('a', '{size: "${spec.size}"}')}` }))
    await sandbox.settled()
    expect(sandbox.events, 'sent after a restart').to.deep.equal([])
  })

  it('name the fields of drift that it corrected', async () => {
    sandbox.run(await projectOf({ widget: `tasks:\n${map('a', '{x: "1", z: "2"}')}` }))
    await sandbox.widget('w')
    await hear('created ConfigMap default/a')
    await sandbox.edit(CONFIG_MAP, 'a', { data: { x: 'changed', other: 'mine' } })
    await hear('Normal DriftCorrected put back data.x of ConfigMap default/a, which another client had changed')
  })

  it('name many objects in one event', async () => {
    const role = `tasks:
  - loop: [1, 2, 3, 4, 5]
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "m-\${$item}"}}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await hear('created 5 objects: ConfigMap default/m-1, ConfigMap default/m-2, ConfigMap default/m-3, …')
    expect(await eventTexts()).to.have.length(1)
  })

  it('report a wait when it begins, and not again while it lasts or after a restart', async () => {
    const role = `tasks:
  - {name: Look, get: {apiVersion: v1, kind: ConfigMap, name: other, optional: true}, register: other}
  - {name: Wait for it, wait: {for: "\${$other.data.go = 'yes'}", message: "\${$other.data.at} is not go"}}
`
    const project = await projectOf({ widget: role })
    sandbox.run(project)
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' }, data: { at: 'one' } })
    await sandbox.widget('w')
    await hear('Normal Waiting task "Wait for it"')
    await sandbox.edit(CONFIG_MAP, 'other', { data: { at: 'two' } })
    await sandbox.settled()
    await sandbox.halt()
    sandbox.run(project)
    await sandbox.ready('Waiting')
    await sandbox.settled()
    expect(sandbox.events).to.have.length(1)
    expect(await eventTexts()).to.have.length(1)
  })

  it('report a failure with its reason, again only when it is another one, and never a value of a Secret', async () => {
    const secret = 'hunter2-hunter2-hunter2'
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: secret } })
    const role = (message: string): string => `tasks:
  - {name: Read, get: {apiVersion: v1, kind: Secret, name: s}, register: s}
  - {name: Stop, fail: {message: "${message}"}}
`
    const operator = sandbox.run(await projectOf({ widget: role('no ${$s.data.password}') }))
    await sandbox.widget('w')
    const [event] = await hear('Warning Failed task "Stop"')
    expect(event).to.equal('Warning Failed task "Stop": no <redacted> (roles/widget/role.yaml:3)')
    await sandbox.edit(WIDGET, 'w', { spec: { other: 1 } })
    await sandbox.settled()
    expect(await eventTexts()).to.have.length(1)
    operator.replaceProject(await projectOf({ widget: role('not now') }))
    await hear('Warning Failed task "Stop": not now')
  })

  it('report nothing about a resource that is paused or is deleted', async () => {
    sandbox.run(await projectOf({ widget: `tasks:\n${map('a', '{x: one}')}` }))
    await sandbox.widget('w', {}, { annotations: { 'rolebook.dev/paused': 'true' } })
    await sandbox.ready('Paused')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.settled()
    expect(sandbox.events).to.deep.equal([])
  })
})
