import { expect } from 'chai'
import { systemClock } from '../../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { FIELD_MANAGER } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{name: Sizes, status: {size: "${spec.size}", of: {role: 1}}}]\n'
const READY = { type: 'Ready', status: 'True', reason: 'Ready', message: 'the cluster is as the role says' }
const LONG_AGO = '2020-01-01T00:00:00Z'

describe('a status that another client has overwritten', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const status = async (): Promise<JsonObject> => ((await sandbox.get(WIDGET, 'w'))?.status ?? {}) as JsonObject
  const sizeIs = (size: number): Promise<JsonObject> => sandbox.until(status, (seen) => seen.size === size)
  const messageIs = (wanted: string): Promise<unknown> =>
    sandbox.until(
      () => sandbox.condition('Ready'),
      (ready) => ready?.message === wanted,
    )

  async function start({ watches, speed = 10 }: { watches?: string; speed?: number } = {}): Promise<void> {
    const clock = { ...fastClock(speed), monotonic: () => speed * systemClock.monotonic() }
    sandbox.run(await projectOf({ widget: ROLE }, watches), { clock })
    await sandbox.widget('w', { size: 1 })
    await sizeIs(1)
    await sandbox.settled()
  }

  async function overwrite(body: JsonObject, fieldManager = 'person'): Promise<void> {
    const options = { fieldManager, subresource: 'status' } as const
    const patch = { type: 'merge', body: { status: body } } as const
    await sandbox.client.patch(WIDGET, { namespace: 'default', name: 'w' }, patch, options)
  }

  it('has the condition of the engine again, and the run says why it began', async () => {
    await start()
    const before = await status()
    await overwrite({ conditions: [{ ...(await sandbox.condition('Ready')), message: 'another' }] })
    await messageIs(READY.message)
    expect(await status()).to.deep.equal(before)
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect(sandbox.runs.at(-1)?.trace?.woken.map(({ kind, fields }) => ({ kind, fields }))).to.deep.equal([
      { kind: 'overwritten', fields: ['status.conditions[type=Ready].message'] },
    ])
  })

  it('has the field of a task again', async () => {
    await start()
    await overwrite({ size: 7 })
    await sizeIs(1)
  })

  it('is complete again when all of it was removed', async () => {
    await start()
    const { conditions: _times, ...before } = await status()
    await overwrite({ conditions: null, observedGeneration: null, size: null, of: null })
    const { conditions: _newTimes, ...after } = await sizeIs(1)
    expect(after).to.deep.equal(before)
    expect(await sandbox.condition('Ready')).to.include(READY)
  })

  it('is put right when a former process of the operator writes last', async () => {
    await start()
    await overwrite({ conditions: [{ ...(await sandbox.condition('Ready')), message: 'former' }] }, FIELD_MANAGER)
    await messageIs(READY.message)
  })

  it('runs nothing where others write what is theirs', async () => {
    await start()
    const before = sandbox.runs.length
    const theirs = { type: 'Theirs', status: 'True', reason: 'X', message: '', lastTransitionTime: LONG_AGO }
    const { conditions: ours } = await status()
    await overwrite({ theirs: 1, of: { others: 2 }, conditions: [...(ours as readonly JsonObject[]), theirs] })
    await overwrite({ theirs: 2, of: { others: 3 } })
    expect(await sandbox.settled()).to.deep.equal([])
    expect(sandbox.runs.length).to.equal(before)
  })

  it('runs nothing for conditions of others where the entry has manageStatus: false', async () => {
    await start({
      watches: '- {group: example.com, version: v1, kind: Widget, role: widget, manageStatus: false}\n',
    })
    const before = sandbox.runs.length
    await overwrite({ conditions: [{ ...READY, lastTransitionTime: LONG_AGO }], observedGeneration: 1 })
    await overwrite({ conditions: [{ ...READY, message: 'other', lastTransitionTime: LONG_AGO }] })
    expect(await sandbox.settled()).to.deep.equal([])
    expect(sandbox.runs.length).to.equal(before)
  })

  it('is left alone for a minute when it is overwritten again and again, and is put right then', async () => {
    await start({ speed: 100 })
    for (let count = 0; count < 5; count++) {
      await overwrite({ size: 100 + count })
      await sizeIs(1)
    }
    await sandbox.settled()
    await overwrite({ size: 7 })
    expect(await sandbox.settled()).to.deep.equal([])
    await sizeIs(1)
  })
})
