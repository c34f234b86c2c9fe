import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import { type ProcessPart, processTerminal } from '../../../src/rolebook/cli/terminal.ts'

interface FakeProcess {
  readonly part: ProcessPart
  readonly signals: EventEmitter
  readonly stdout: PassThrough
  readonly stderr: PassThrough
  readonly exits: unknown[]
}

function processWith(
  env: NodeJS.ProcessEnv,
  screen: { isTTY?: boolean; columns?: number; rows?: number },
): FakeProcess {
  const signals = new EventEmitter()
  const exits: unknown[] = []
  const stdout = Object.assign(new PassThrough(), screen)
  const stderr = new PassThrough()
  const exit = (code: unknown): void => void exits.push(code)
  const off = signals.off.bind(signals)
  const part = { stdout, stderr, env, on: signals.on.bind(signals), off, exit } as unknown as ProcessPart
  return { part, signals, stdout, stderr, exits }
}

describe('the terminal of a process', () => {
  const screens = [
    { name: 'a screen', env: { TERM: 'xterm' }, isTTY: true, interactive: true, color: true },
    {
      name: 'a screen whose user wants no colour',
      env: { NO_COLOR: '1' },
      isTTY: true,
      interactive: true,
      color: false,
    },
    { name: 'a screen with an empty NO_COLOR', env: { NO_COLOR: '' }, isTTY: true, interactive: true, color: true },
    { name: 'a screen that can do nothing', env: { TERM: 'dumb' }, isTTY: true, interactive: false, color: false },
    { name: 'a pipe', env: {}, interactive: false, color: false },
  ]
  for (const { name, env, isTTY, interactive, color } of screens) {
    it(`${interactive ? 'redraws' : 'does not redraw'} ${name}, ${color ? 'in' : 'without'} colour`, () => {
      const terminal = processTerminal(processWith(env, isTTY ? { isTTY } : {}).part)
      expect([terminal.interactive, terminal.color]).to.deep.equal([interactive, color])
    })
  }

  it('stops at the first signal, and ends the process at the second', () => {
    const { part, signals, exits } = processWith({}, {})
    const { stopped } = processTerminal(part)
    signals.emit('SIGINT')
    expect([stopped.aborted, exits]).to.deep.equal([true, []])
    signals.emit('SIGTERM')
    expect(exits).to.deep.equal([1])
  })

  it('takes a Ctrl-C that npm or npx pass on for the one that the terminal has sent already', () => {
    const { part, signals, exits } = processWith({}, {})
    let now = 7
    const { stopped } = processTerminal(part, { monotonic: () => now })
    for (const wait of [0, 20, 200]) {
      now += wait
      signals.emit('SIGINT')
    }
    expect([stopped.aborted, exits]).to.deep.equal([true, []])
    now += 400
    signals.emit('SIGINT')
    expect(exits).to.deep.equal([1])
  })

  describe('asks a person', () => {
    const screen = () => Object.assign(new PassThrough(), { isTTY: true })
    function personAt(stdin: PassThrough) {
      const stderr = screen()
      const part = { ...processWith({}, {}).part, stdin, stderr } as unknown as ProcessPart
      return { ask: processTerminal(part).ask, stderr }
    }

    it('on the screen, and takes a line for the answer', async () => {
      const stdin = screen()
      const { ask, stderr } = personAt(stdin)
      const answer = ask?.('Kind? ')
      stdin.write('Website\n')
      expect(await answer).to.equal('Website')
      expect(String(stderr.read())).to.include('Kind? ')
    })

    it('who may end the input instead of answering', async () => {
      const stdin = screen()
      const answer = personAt(stdin).ask?.('Kind? ')
      stdin.end()
      expect(await answer?.catch(({ message }: Error) => message)).to.equal('the input has ended')
    })

    it('who may press Ctrl-C instead of answering', async () => {
      const stdin = screen()
      const answer = personAt(stdin).ask?.('Kind? ')
      stdin.write('\u0003')
      expect(await answer?.catch(({ message }: Error) => message)).to.equal('the input has ended')
    })

    it('but never on a pipe', () => {
      expect(personAt(new PassThrough()).ask).to.equal(undefined)
    })
  })

  const fault = (code: string): Error => Object.assign(new Error(`${code}: no`), { code })

  it('ends in peace when its reader has gone, and says so when its output is lost for another fault', () => {
    const { part, stdout, stderr, exits } = processWith({}, {})
    processTerminal(part)
    stdout.emit('error', fault('EPIPE'))
    expect([exits, stderr.read()]).to.deep.equal([[0], null])
    stdout.emit('error', fault('ENOSPC'))
    expect([exits, String(stderr.read())]).to.deep.equal([[0, 1], 'rolebook: cannot write the output: ENOSPC: no\n'])
  })

  it('works on when the disk of its log is full, and ends when the reader of its log has gone', () => {
    const { part, stderr, exits } = processWith({}, {})
    processTerminal(part)
    stderr.emit('error', fault('ENOSPC'))
    expect(exits).to.deep.equal([])
    stderr.emit('error', fault('EPIPE'))
    expect(exits).to.deep.equal([0])
  })
})
