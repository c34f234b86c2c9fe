import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { JsonView } from '../../../../src/rolebook/cli/live-view/json-view.ts'
import { newLiveView } from '../../../../src/rolebook/cli/live-view/new-live-view.ts'
import { terminalLogger } from '../../../../src/rolebook/cli/pino-logger.ts'
import { FakeTerminal } from '../../../support/fake-terminal.ts'
import { HEADING, row, unready } from './screen-with.ts'

const details = async (): Promise<readonly string[]> => []
const CACHE = unready('cache', 'Deployment default/cache is not ready')

describe('the live view in a pipe', () => {
  const terminal = new FakeTerminal()
  const view = newLiveView(terminal, { clock: new FakeClock(), heading: HEADING, details })
  beforeEach(() => (terminal.stdout = ''))

  it('prints a line per change, and none for what says the same', () => {
    view.show(CACHE)
    view.show({ ...CACHE, changed: 5 })
    view.show(row('cache'))
    expect(terminal.stdout.split('\n')).to.deep.equal([
      'Memcached default/cache Ready=False NotReady children=1: Deployment default/cache is not ready',
      'Memcached default/cache Ready=True Ready children=1',
      '',
    ])
  })

  it('leaves out how many children there are as long as that is unknown', () => {
    view.show(unready('new', '', { children: undefined }))
    expect(terminal.stdout).to.equal('Memcached default/new Ready=False NotReady\n')
  })

  it('says once that a resource is gone', () => {
    view.remove(CACHE.request)
    view.remove(CACHE.request)
    expect(terminal.stdout).to.equal('Memcached default/cache gone\n')
  })

  it('sends logs and problems to standard error', () => {
    view.say('a line\n')
    view.showProblem('a problem\n')
    view.showProblem(undefined)
    view.stop()
    expect([terminal.stderr, terminal.stdout]).to.deep.equal(['a line\na problem\n', ''])
  })
})

describe('the live view in JSON', () => {
  it('prints nothing but lines of a log', () => {
    const terminal = new FakeTerminal()
    const options = { level: 'info', format: 'json' } as const
    const results = terminalLogger({ err: (text) => terminal.out(text), color: false }, options)
    const view = new JsonView({ heading: HEADING, results, logger: terminalLogger(terminal, options) })
    for (const shown of [CACHE, CACHE, row('cache', { children: undefined })]) view.show(shown)
    for (const gone of [CACHE, CACHE]) view.remove(gone.request)
    view.say('\u001b[31ma line\u001b[0m\n')
    view.showProblem('a problem\n')
    view.showProblem(undefined)
    view.stop()
    const linesOf = (text: string): readonly unknown[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { time: _time, level: _level, ...rest } = JSON.parse(line)
          return rest
        })
    const resource = { kind: 'Memcached', resource: 'default/cache' }
    const message = 'Deployment default/cache is not ready'
    expect(linesOf(terminal.stdout)).to.deep.equal([
      { msg: 'sandbox ready', url: HEADING.url },
      { msg: 'resource changed', ...resource, ready: 'False', reason: 'NotReady', message, children: 1 },
      { msg: 'resource changed', ...resource, ready: 'True', reason: 'Ready' },
      { msg: 'resource gone', ...resource },
    ])
    expect(linesOf(terminal.stderr)).to.deep.equal([{ msg: 'a line' }, { msg: 'a problem' }])
  })
})

describe('the live view on a screen', () => {
  function screen(load = details) {
    const clock = new FakeClock()
    const terminal = new FakeTerminal({ screen: { columns: 80, rows: 24 } })
    const view = newLiveView(terminal, { clock, heading: HEADING, details: load })
    return { clock, terminal, view, shown: () => terminal.drawn?.join('\n') ?? '' }
  }

  it('is there at once, and draws what changes at most ten times a second', async () => {
    const { clock, view, shown } = screen()
    expect(shown()).to.include('rolebook sandbox at https://127.0.0.1:6443')
    view.show(CACHE)
    view.say('something happened\n')
    expect(shown()).to.not.include('default/cache')
    await clock.advance(100)
    expect(shown()).to.include('> Memcached default/cache').and.to.include('something happened')
    view.remove(CACHE.request)
    await clock.advance(100)
    expect(shown()).to.not.include('default/cache')
    view.stop()
  })

  it('answers keys and a new size at once', () => {
    const { terminal, view, shown } = screen()
    view.show(CACHE)
    terminal.press('?')
    expect(shown()).to.match(/^Keys/)
    terminal.press('escape')
    terminal.resize({ columns: 40, rows: 12 })
    expect(terminal.drawn).to.have.length(12)
    view.stop()
  })

  it('shows a problem until it is solved', async () => {
    const { clock, view, shown } = screen()
    view.showProblem('a.yaml:1:1 error RB1 bad\n\n1 error\n')
    await clock.advance(100)
    expect(shown()).to.include('│ a.yaml:1:1 error RB1 bad')
    view.showProblem(undefined)
    await clock.advance(100)
    expect(shown()).to.not.include('RB1')
    view.stop()
  })

  it('loads the details of a resource when it is opened, when it changes, and from time to time', async () => {
    let loads = 0
    const { clock, terminal, view, shown } = screen(async () => [`load ${++loads}`])
    view.show(CACHE)
    await clock.advance(100)
    terminal.press('return')
    await clock.advance(100)
    expect(shown()).to.include('load 1')
    view.show(row('cache'))
    await clock.advance(100)
    expect(shown()).to.include('load 2')
    await clock.advance(2_100)
    expect(shown()).to.include('load 3')
    terminal.press('escape')
    await clock.advance(10_000)
    expect([loads, clock.pending]).to.deep.equal([3, 0])
    view.stop()
  })

  it('does not load them anew for a key within them', async () => {
    let loads = 0
    const { clock, terminal, view } = screen(async () => [`load ${++loads}`])
    view.show(CACHE)
    await clock.advance(100)
    terminal.press('return')
    await clock.advance(100)
    terminal.press('down')
    expect(loads).to.equal(1)
    view.stop()
  })

  it('draws nothing more when it stops before the next frame', () => {
    const { clock, terminal, view } = screen()
    view.show(CACHE)
    view.stop()
    expect([clock.pending, terminal.drawn]).to.deep.equal([0, undefined])
  })

  it('loads them no more when it has stopped', async () => {
    let loads = 0
    const { clock, terminal, view } = screen(async () => [`load ${++loads}`])
    view.show(CACHE)
    await clock.advance(100)
    terminal.press('return')
    view.stop()
    await clock.advance(10_000)
    expect([loads, clock.pending]).to.deep.equal([1, 0])
  })

  it('says why it cannot load them', async () => {
    const { clock, terminal, view, shown } = screen(() => Promise.reject(new Error('no answer')))
    view.show(CACHE)
    await clock.advance(100)
    terminal.press('return')
    await clock.advance(100)
    expect(shown()).to.include('cannot read the resource: no answer')
    view.stop()
  })

  for (const [name, stop] of [
    ['q', (terminal: FakeTerminal) => terminal.press('q')],
    ['a signal', (terminal: FakeTerminal) => terminal.stop()],
  ] as const) {
    it(`stops at ${name}, gives the screen back, and leaves what one wants to know`, () => {
      const { clock, terminal, view, shown } = screen()
      view.show(CACHE)
      view.showProblem('a problem\n')
      stop(terminal)
      expect(terminal.stopped.aborted).to.equal(true)
      expect(shown()).to.include('The sandbox stops')
      view.stop()
      expect([terminal.drawn, terminal.stdout]).to.deep.equal([undefined, 'a problem\nReady 0 of 1\n'])
      expect(clock.pending).to.equal(0)
    })
  }
})
