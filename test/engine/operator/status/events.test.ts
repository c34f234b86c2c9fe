import { expect } from 'chai'
import { recording } from '../../../../src/core/kube/client-decorators.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const EVENT = { group: '', version: 'v1', kind: 'Event' }
const ROLE = `tasks:
  - event: {type: Normal, reason: Sized, message: "the size is \${spec.size}"}
`

describe('events of a role, on a server', () => {
  let sandbox: OperatorSandbox

  beforeEach(async () => {
    sandbox = await OperatorSandbox.start()
  })
  afterEach(() => sandbox.stop())

  const events = async (): Promise<readonly KubeObject[]> => {
    const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
    return items.filter(({ reason }) => reason === 'Sized')
  }
  const messages = async (): Promise<readonly unknown[]> => (await events()).map(({ message }) => message).sort()

  it('are there once per content, also after a restart, and nothing else is written for them', async () => {
    const project = await projectOf({ widget: ROLE })
    sandbox.run(project)
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.until(messages, (seen) => seen.length === 1)
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect(sandbox.events).to.deep.equal([`w.${await hashOf()}`])
    await sandbox.halt()
    sandbox.run(project)
    expect(await sandbox.settled()).to.deep.equal([])
    expect(sandbox.events, 'the one that is there already, tried again').to.have.length(2)
    expect(await messages()).to.deep.equal(['the size is 1'])
    await sandbox.widget('w', { size: 2 })
    await sandbox.until(messages, (seen) => seen.length === 2)
    expect(await messages()).to.deep.equal(['the size is 1', 'the size is 2'])
    expect(sandbox.warnings).to.deep.equal([])
  })

  const hashOf = async (): Promise<string> => String((await events())[0]?.metadata.name).slice(2)

  it('of a resource without namespace stand in default', async () => {
    const watches = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    sandbox.run(await projectOf({ gadget: ROLE }, watches))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: { size: 1 } })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    const [event] = await sandbox.until(events, (seen) => seen.length === 1)
    expect(event?.involvedObject).to.include({ kind: 'Gadget', name: 'g' })
  })

  it('of finalize are there, and the resource goes', async () => {
    sandbox.run(await projectOf({ widget: `tasks: [{set: {a: 1}}]\nfinalize${ROLE.slice('tasks'.length)}` }))
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    await sandbox.until(messages, (seen) => seen.length === 1)
  })

  it('do not hold up a run when the server refuses them', async () => {
    const refusing = {
      ...recording(sandbox.client, () => undefined),
      create: async (object: KubeObject, options: Parameters<typeof sandbox.client.create>[1]) => {
        if (object.kind === 'Event') throw new Error('events are not for you')
        return sandbox.client.create(object, options)
      },
    }
    sandbox.run(await projectOf({ widget: ROLE }), { client: refusing })
    await sandbox.widget('w', { size: 1 })
    await sandbox.ready('Ready')
    expect(await events()).to.deep.equal([])
    expect(sandbox.warnings).to.deep.equal(['cannot write an event'])
  })
})
