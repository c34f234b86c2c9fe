import { stripVTControlCharacters } from 'node:util'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { ResourceRow } from '../../../src/rolebook/cli/live-table.ts'
import { newLiveView } from '../../../src/rolebook/cli/live-view.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'

const row = (changes: Partial<ResourceRow> = {}): ResourceRow => ({
  resource: 'Memcached default/cache',
  ready: 'False',
  reason: 'NotReady',
  message: 'Deployment default/cache is not ready',
  children: 1,
  changed: '12:00:00',
  ...changes,
})

describe('the live view in a pipe', () => {
  const terminal = new FakeTerminal()
  const view = newLiveView(terminal, { clock: new FakeClock(), heading: 'heading' })

  it('prints a line per change, and none for what says the same', () => {
    view.show(row())
    view.show(row({ changed: '12:00:01' }))
    view.show(row({ ready: 'True', reason: 'Ready', message: '' }))
    expect(terminal.stdout.split('\n')).to.deep.equal([
      'heading',
      'Memcached default/cache Ready=False NotReady children=1: Default/cache'.replace(
        'Default/cache',
        'Deployment default/cache is not ready',
      ),
      'Memcached default/cache Ready=True Ready children=1',
      '',
    ])
  })

  it('leaves out how many children there are as long as nobody knows', () => {
    terminal.stdout = ''
    view.show(row({ resource: 'Memcached default/new', children: undefined, message: '' }))
    expect(terminal.stdout).to.equal('Memcached default/new Ready=False NotReady\n')
  })

  it('says once that a resource is gone', () => {
    terminal.stdout = ''
    view.remove('Memcached default/cache')
    view.remove('Memcached default/cache')
    expect(terminal.stdout).to.equal('Memcached default/cache gone\n')
  })

  it('sends logs to standard error', () => {
    view.say('a line\n')
    expect(terminal.stderr).to.equal('a line\n')
    view.stop()
  })
})

describe('the live view on a screen', () => {
  it('redraws in place, at most ten times a second', async () => {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ interactive: true })
    const view = newLiveView(terminal, { clock, heading: 'heading' })
    view.show(row())
    view.show(row({ resource: 'Memcached default/another' }))
    view.say('something happened\n')
    await clock.advance(100)
    const first = stripVTControlCharacters(terminal.stdout).split('\n')
    expect(first[0]).to.equal('heading')
    expect(first[2]).to.match(/^RESOURCE +READY/)
    expect(first[3]).to.match(/^Memcached default\/another/)
    expect(first[4]).to.match(/^Memcached default\/cache +False +NotReady +1 +12:00:00 +Deployment/)
    expect(first).to.include('something happened')
    terminal.stdout = ''
    view.remove('Memcached default/another')
    await clock.advance(100)
    expect(terminal.stdout.startsWith('\u001b[')).to.equal(true)
    expect(terminal.stdout).to.include('\u001b[0J')
    expect(terminal.stdout).to.not.include('another')
    view.stop()
  })

  it('keeps the first lines of a problem on the screen until it is solved, whatever is logged', async () => {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ interactive: true, rows: 30 })
    const view = newLiveView(terminal, { clock, heading: 'h' })
    view.show(row())
    view.showProblem(Array.from({ length: 40 }, (_, index) => `mistake ${index + 1}`).join('\n'))
    for (let index = 0; index < 20; index++) view.say(`log ${index}\n`)
    await clock.advance(100)
    const lines = stripVTControlCharacters(terminal.stdout).split('\n')
    expect(lines.filter((line) => line.startsWith('mistake'))).to.have.length(10)
    expect(lines).to.include.members(['mistake 1', '… and 30 more lines (rolebook check prints all)', 'log 19'])
    expect(lines.length).to.be.at.most(30)
    terminal.stdout = ''
    view.showProblem(undefined)
    await clock.advance(100)
    expect(terminal.stdout).to.not.include('mistake')
    view.stop()
  })

  it('paints what is ready and what is not, and draws what is left when it stops', async () => {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ interactive: true, color: true })
    const view = newLiveView(terminal, { clock, heading: 'h' })
    view.show(row({ resource: 'Memcached default/good', ready: 'True', children: undefined }))
    view.show(row())
    view.stop()
    expect(terminal.stdout).to.include('\u001b[32mTrue\u001b[39m').and.to.include('\u001b[33mFalse\u001b[39m')
    expect(stripVTControlCharacters(terminal.stdout)).to.match(/good +True +NotReady +12:00:00/)
    expect(clock.pending).to.equal(0)
  })

  it('shows what is not ready first when there is no room for all', async () => {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ interactive: true, rows: 20 })
    const view = newLiveView(terminal, { clock, heading: 'h' })
    for (let index = 0; index < 30; index++)
      view.show(row({ resource: `Memcached default/c-${index}`, ready: 'True', message: '' }))
    view.show(row({ resource: 'Memcached default/the-one' }))
    await clock.advance(100)
    const lines = stripVTControlCharacters(terminal.stdout).split('\n')
    expect(lines[3]).to.include('the-one')
    expect(lines).to.include('… and 26 more')
    expect(lines.length).to.be.at.most(20)
    view.stop()
  })

  it('cuts lines at the edge and takes control characters out', async () => {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ interactive: true, columns: 60 })
    const view = newLiveView(terminal, { clock, heading: 'h' })
    view.show(row({ message: `\u001b[2J${'long '.repeat(40)}` }))
    await clock.advance(100)
    const lines = stripVTControlCharacters(terminal.stdout).split('\n')
    expect(lines.every((line) => line.length <= 60)).to.equal(true)
    expect(terminal.stdout).to.not.include('\u001b[2J')
    view.stop()
  })
})
