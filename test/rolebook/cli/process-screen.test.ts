import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect } from 'chai'
import type { ScreenSize } from '../../../src/rolebook/cli/screen-device.ts'
import { type ProcessPart, processTerminal } from '../../../src/rolebook/cli/terminal.ts'
import { TerminalEmulator } from '../../support/terminal-emulator.ts'

/** A process whose terminal is emulated, and a screen that it has taken. */
function takenScreen({ columns, rows }: ScreenSize, { hasKeys = true } = {}) {
  const emulator = new TerminalEmulator({ columns, rows })
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
  stdout.on('data', (chunk: Buffer) => emulator.write(chunk.toString()))
  const modes: boolean[] = []
  const stdin = new PassThrough()
  const setRawMode = (isRaw: boolean) => {
    modes.push(isRaw)
    return stdin
  }
  if (hasKeys) Object.assign(stdin, { isTTY: true, setRawMode })
  const events = new EventEmitter()
  const heard: (string | ScreenSize)[] = []
  const ended: unknown[] = []
  const part = {
    ...{ stdin, stdout, stderr: new PassThrough(), env: { TERM: 'xterm' } },
    ...{ on: events.on.bind(events), off: events.off.bind(events) },
    exit: (code: unknown) => void ended.push(code),
    kill: (...args: unknown[]) => void ended.push(args),
  } as unknown as ProcessPart
  let now = 0
  const terminal = processTerminal(part, { monotonic: () => (now += 1_000) })
  const keys = new EventEmitter()
  const hear = (what: string | ScreenSize): void => {
    heard.push(what)
    keys.emit('heard')
  }
  const device = terminal.takeScreen?.({ key: hear, resized: hear, say: (text) => hear(`said ${text}`) })
  if (!device) throw new Error('there is no screen')
  return { device, emulator, events, heard, keys, modes, stdin, stdout, terminal, ended }
}

const SMALL = { columns: 20, rows: 3 }

describe('the screen of a process', () => {
  const endings: readonly (readonly [name: string, end: (taken: ReturnType<typeof takenScreen>) => void])[] = [
    ['is given back', ({ device }) => device.release()],
    ['is given back twice', ({ device }) => [device.release(), device.release()]],
    ['crashes, before Node says why', ({ events }) => events.emit('uncaughtExceptionMonitor', new Error('no'))],
    ['ends', ({ events }) => events.emit('exit', 1)],
  ]
  for (const [name, end] of endings) {
    it(`is as it was before, with its keys, when it ${name}`, async () => {
      const taken = takenScreen(SMALL)
      taken.device.draw(['one', 'two', 'three'], [])
      expect([await taken.emulator.isTaken(), taken.modes]).to.deep.equal([true, [true]])
      end(taken)
      expect([await taken.emulator.isTaken(), taken.modes]).to.deep.equal([false, [true, false]])
      expect(await taken.emulator.lines()).to.deep.equal(['', '', ''])
    })
  }

  it('draws lines, then those that have changed, and leaves wide ones at the edge', async () => {
    const { device, emulator } = takenScreen(SMALL)
    const first = ['one', 'x'.repeat(20), 'three']
    device.draw(first, [])
    expect(await emulator.lines()).to.deep.equal(first)
    device.draw(['1', 'x'.repeat(20), `${'y'.repeat(25)}`], first)
    expect(await emulator.lines()).to.deep.equal(['1', 'x'.repeat(20), 'y'.repeat(20)])
  })

  it('says that it has another size, and that standard error has something to say', () => {
    const { stdout, heard, terminal } = takenScreen(SMALL)
    Object.assign(stdout, { columns: 30, rows: 4 })
    stdout.emit('resize')
    terminal.err('a warning\n')
    expect(heard).to.deep.equal([{ columns: 30, rows: 4 }, 'said a warning\n'])
  })

  const keys: readonly (readonly [bytes: string, name: string])[] = [
    ['q', 'q'],
    ['G', 'G'],
    ['?', '?'],
    ['/', '/'],
    [' ', ' '],
    ['ü', 'ü'],
    ['\r', 'return'],
    ['\u007f', 'backspace'],
    ['\u001b', 'escape'],
    ['\u001b[A', 'up'],
    ['\u001bOB', 'down'],
    ['\u001b[5~', 'pageup'],
    ['\u001b[6~', 'pagedown'],
    ['\u001b[H', 'home'],
    ['\u001b[F', 'end'],
    ['\u0015', 'ctrl+u'],
    ['\u001c', ''],
  ]
  for (const [bytes, name] of keys) {
    it(`takes ${JSON.stringify(bytes)} for the key ${name}`, async () => {
      const { stdin, heard, keys: pressed } = takenScreen(SMALL)
      const next = once(pressed, 'heard')
      stdin.write(bytes)
      await next
      expect(heard).to.deep.equal([name])
    })
  }

  it('stops the process at Ctrl-C, and ends it at the second one', async () => {
    const { stdin, terminal, ended } = takenScreen(SMALL)
    const stopped = once(terminal.stopped, 'abort')
    stdin.write('\u0003')
    await stopped
    expect(ended).to.deep.equal([])
    const pressed = once(stdin, 'keypress')
    stdin.write('\u0003')
    await pressed
    expect(ended).to.deep.equal([1])
  })

  it('stops the process when the terminal is closed', () => {
    const { events, terminal } = takenScreen(SMALL)
    events.emit('SIGHUP')
    expect(terminal.stopped.aborted).to.equal(true)
  })

  it('is given back for Ctrl-Z, and taken again when the process goes on', async () => {
    const { stdin, events, emulator, modes, ended, heard } = takenScreen(SMALL)
    const pressed = once(stdin, 'keypress')
    stdin.write('\u001a')
    await pressed
    expect([ended, await emulator.isTaken(), modes]).to.deep.equal([[[0, 'SIGTSTP']], false, [true, false]])
    events.emit('SIGCONT')
    expect([heard, await emulator.isTaken(), modes]).to.deep.equal([[SMALL], true, [true, false, true]])
  })

  it('draws nothing while the process rests', async () => {
    const { device, stdin, emulator } = takenScreen(SMALL)
    const pressed = once(stdin, 'keypress')
    stdin.write('\u001a')
    await pressed
    device.draw(['one'], [])
    expect(await emulator.lines()).to.deep.equal(['', '', ''])
  })

  it('is drawn anew for Ctrl-L', async () => {
    const { stdin, heard, keys: pressed } = takenScreen(SMALL)
    const next = once(pressed, 'heard')
    stdin.write('\u000c')
    await next
    expect(heard).to.deep.equal([SMALL])
  })

  it('has no keys when standard input is not a terminal', () => {
    const { device, modes, stdin } = takenScreen(SMALL, { hasKeys: false })
    expect([device.hasKeys, modes, stdin.listenerCount('keypress')]).to.deep.equal([false, [], 0])
    device.release()
    expect(modes).to.deep.equal([])
  })
})
