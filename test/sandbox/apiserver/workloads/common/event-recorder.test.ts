import { expect } from 'chai'
import { FakeClock } from '../../../../../src/core/base/fake-clock.ts'
import { EventRecorder } from '../../../../../src/sandbox/apiserver/workloads/common/event-recorder.ts'
import { configMap } from '../../sandbox.ts'
import { WorkloadServer } from '../workload-server.ts'

const clock = new FakeClock()
const TEXT = { reason: 'Tested', message: 'this is a test' }

describe('EventRecorder', () => {
  it('does without an event that is refused, as in a namespace that is not there', () => {
    const { api } = new WorkloadServer()
    const events = new EventRecorder(api, clock, { component: 'test', isOn: true })
    events.record(configMap('a', { metadata: { namespace: 'nowhere' } }), TEXT)
    expect(api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'nowhere' })).to.deep.equal([])
  })

  it('counts an action that is repeated in the series of its event', () => {
    const { api } = new WorkloadServer()
    const events = new EventRecorder(api, clock, { component: 'test', isOn: true })
    for (let turn = 0; turn < 3; turn++) events.record(configMap('acted-on'), { ...TEXT, action: 'Testing' })
    const found = api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'default' })
    expect(found.map(({ reason, action, series }) => ({ reason, action, series }))).to.deep.equal([
      {
        reason: 'Tested',
        action: 'Testing',
        series: { count: 3, lastObservedTime: new Date(clock.now()).toISOString().replace('Z', '000Z') },
      },
    ])
  })

  it('does not hide a fault of the program', () => {
    const { api } = new WorkloadServer()
    const create = (): never => {
      throw new TypeError('a fault')
    }
    const events = new EventRecorder(Object.assign(Object.create(api), { create }), clock, {
      component: 'test',
      isOn: true,
    })
    expect(() => events.record(configMap('a'), TEXT)).to.throw(TypeError)
  })
})
