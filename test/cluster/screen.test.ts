/** The live screens of `rolebook sandbox` and `rolebook preview` in a real terminal, which `script` of util-linux makes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { env, execPath, stderr } from 'node:process'
import { expect } from 'chai'
import type { ScreenSize } from '../../src/rolebook/cli/screen-device.ts'
import { writeNoteProject } from '../rolebook/cli/note-project.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { TerminalProcess } from './terminal-process.ts'

const SIZES: readonly ScreenSize[] = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
]
const UP = '\u001b[A'
const DOWN = '\u001b[B'
const CTRL_C = '\u0003'
/** Throws where no code of the program can catch it. */
const CRASH = "process.on('SIGUSR2', () => { throw new Error('a crash') })\n"

describe('the live screen in a terminal', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let cwd = ''
  let terminal: TerminalProcess | undefined

  before(function () {
    const [script, stty] = ['script', 'stty'].map((name) => spawnSync(name, ['--version'], { encoding: 'utf8' }))
    if (!script?.stdout?.includes('util-linux') || stty?.status !== 0) {
      stderr.write('SKIPPED: the live screen in a terminal needs script of util-linux, and stty of coreutils\n')
      this.skip() // without script and stty there is no terminal to use
    }
  })
  beforeEach(() => {
    cwd = mkdtempSync(folder.at('screen-'))
    writeNoteProject(cwd)
  })
  afterEach(() => terminal?.kill())
  after(() => folder.remove())

  function start(args: string, size: ScreenSize, settings: NodeJS.ProcessEnv = {}): TerminalProcess {
    const command = `'${execPath}' '${join(builtProgram(), 'rolebook.mjs')}' ${args}`
    terminal = new TerminalProcess(command, { cwd, size, env: { ...env, TERM: 'xterm-256color', ...settings } })
    return terminal
  }
  /** The sandbox, once its resource is ready. */
  async function sandbox(size: ScreenSize, { input = '', settings = {} as NodeJS.ProcessEnv } = {}) {
    const running = start(`sandbox --samples ${input}`, size, settings)
    await running.until('the note is ready', (text) => /> Note default\/hello +True/.test(text))
    return running
  }
  const pid = (): number => JSON.parse(readFileSync(join(cwd, '.rolebook/sandbox.json'), 'utf8')).pid
  const edit = (from: string, to: string): void => {
    const role = join(cwd, 'roles/note/role.yaml')
    writeFileSync(role, readFileSync(role, 'utf8').replace(from, to))
  }

  for (const size of SIZES) {
    it(`is used with keys on ${size.columns}x${size.rows}`, async () => {
      const running = await sandbox(size)
      expect(await running.screen.isTaken()).to.equal(true)
      const list = await running.until('the total', (text) => text.includes('Ready 1 of 1'))
      expect(list.split('\n').at(-1)).to.include('q quit')
      running.press('\r')
      const details = await running.until('the details', (text) => text.includes('CONDITIONS'))
      expect(details.split('\n')[0]).to.match(/^Note default\/hello/)
      for (let pages = 0; pages < 4; pages++) running.press(' ')
      await running.until('the end of them', (text) => /EVENTS|EARLIER|requests:/.test(text))
      running.press('\u001b')
      await running.until('the list again', (text) => text.includes('RESOURCE'))
      running.press(`${DOWN}${UP}?`)
      await running.until('the help', (text) => text.startsWith('Keys'))
      running.press('q/nothing')
      await running.until('what the filter finds', (text) => text.includes('No resource has "nothing"'))
      running.press('\u001b')
      await running.until('all again', (text) => text.includes('> Note default/hello'))
      running.press('q')
      expect([await running.ended(), await running.screen.isTaken(), running.isRestored()]).to.deep.equal([
        0,
        false,
        true,
      ])
      const left = (await running.screen.lines()).join('')
      expect(left).to.include('Ready 1 of 1').and.to.include('.rolebook/kubeconfig is removed')
      expect(existsSync(join(cwd, '.rolebook/kubeconfig'))).to.equal(false)
    })
  }

  it('sorts, groups, and opens mistakes and log with keys', async () => {
    const sample = readFileSync(join(cwd, 'roles/note/samples/hello.yaml'), 'utf8')
    const refused = sample.replace('name: hello', 'name: refused').replace('good morning', '5')
    writeFileSync(join(cwd, 'roles/note/samples/refused.yaml'), refused)
    const running = start('sandbox --samples', { columns: 120, rows: 40 })
    const listed = (text: string): readonly string[] =>
      [...text.matchAll(/^[> ] +(?:Note )?default\/(\w+) +(?:True|False)/gm)].map(([, name = '']) => name)
    const untilListed = (what: string, order: readonly string[], foot: string): Promise<string> =>
      running.until(what, (text) => listed(text).join() === order.join() && text.includes(foot))
    await running.until('one of two is ready', (text) => text.includes('Ready 1 of 2'))
    await untilListed('those that are not ready first', ['refused', 'hello'], 's sort: readiness')
    running.press('s')
    const byName = await untilListed('the order of names', ['hello', 'refused'], 's sort: name')
    expect(byName).to.not.match(/^ {2}Note {2}Ready/m)
    running.press('g')
    const grouped = await running.until('the group', (text) => /^ {2}Note {2}Ready 1 of 2$/m.test(text))
    expect(listed(grouped)).to.deep.equal(['hello', 'refused'])
    running.press('g')
    await running.until('no group', (text) => !/^ {2}Note {2}Ready/m.test(text))
    running.press('ss')
    await untilListed('the first order again', ['refused', 'hello'], 's sort: readiness')
    edit('spec.text', 'spec.text & $nobody')
    await running.until('the mistake', (text) => text.includes('e shows all: 1 error'))
    running.press('e')
    const opened = await running.until('all mistakes', (text) => text.startsWith('Mistakes and log'))
    expect(opened).to.match(/^roles\/note\/role\.yaml:6:\d+ error RB\d+/m)
    running.press('q')
    await running.until('the list', (text) => text.includes('RESOURCE'))
    running.press('q')
    expect(await running.ended()).to.equal(0)
  })

  it('shows the first mistake of a changed role until it is mended', async () => {
    const running = await sandbox({ columns: 80, rows: 24 })
    edit('spec.text', 'spec.text & $nobody')
    const text = await running.until('the mistake', (shown) => shown.includes('$nobody'))
    expect(text)
      .to.match(/^│ roles\/note\/role\.yaml:6:\d+ error RB\d+/m)
      .and.to.include('e shows all: 1 error')
    edit(' & $nobody', '')
    await running.until('it is mended', (shown) => !shown.includes('│'))
    running.press('q')
    expect(await running.ended()).to.equal(0)
  })

  it('follows what is edited, in rolebook preview', async () => {
    const running = start('preview note', { columns: 80, rows: 24 })
    await running.until('the object', (text) => text.includes('text: good morning'))
    edit('spec.text', '$uppercase(spec.text)')
    await running.until('the difference', (text) => text.includes('data.text: "good morning" → "GOOD MORNING"'))
    edit('spec.text', 'spec.text & $nobody')
    const text = await running.until('the mistake', (shown) => shown.includes('error RB'))
    expect(text)
      .to.match(/^│ roles\/note\/role\.yaml:6:\d+ error RB/m)
      .and.to.include('text: GOOD MORNING')
    running.resize({ columns: 60, rows: 14 })
    await running.until('how many lines there are besides', (shown) => /… \d+ more lines/.test(shown))
    running.press('q')
    expect([await running.ended(), await running.screen.isTaken(), running.isRestored()]).to.deep.equal([
      0,
      false,
      true,
    ])
  })

  it('is drawn anew when the terminal has another size', async () => {
    const running = await sandbox({ columns: 120, rows: 40 })
    for (const size of [
      { columns: 40, rows: 12 },
      { columns: 80, rows: 24 },
    ]) {
      running.resize(size)
      await running.until(`it has ${size.rows} lines`, (text) => {
        const lines = text.split('\n')
        return lines[0]?.length === size.columns && lines.at(-1)?.endsWith('q quit') === true
      })
    }
    running.press('q')
    expect(await running.ended()).to.equal(0)
  })

  const endings: readonly (readonly [name: string, end: (running: TerminalProcess) => void, code: number])[] = [
    ['Ctrl-C', (running) => running.press(CTRL_C), 0],
    ['SIGTERM', () => process.kill(pid(), 'SIGTERM'), 0],
    ['SIGHUP', () => process.kill(pid(), 'SIGHUP'), 0],
    ['a crash', () => process.kill(pid(), 'SIGUSR2'), 1],
  ]
  for (const [name, end, code] of endings) {
    it(`gives the terminal back at ${name}`, async () => {
      writeFileSync(join(cwd, 'crash.mjs'), CRASH)
      const settings = { NODE_OPTIONS: `--import ${join(cwd, 'crash.mjs')}` }
      const running = await sandbox({ columns: 80, rows: 24 }, { settings })
      end(running)
      expect([await running.ended(), await running.screen.isTaken(), running.isRestored()]).to.deep.equal([
        code,
        false,
        true,
      ])
      if (code === 1) expect((await running.screen.lines()).join('\n')).to.include('Error: a crash')
    })
  }

  it('is drawn without keys when standard input is not a terminal', async () => {
    const running = await sandbox({ columns: 80, rows: 24 }, { input: '< /dev/null' })
    expect((await running.screen.lines()).at(-1)).to.match(/^Standard input is not a terminal/)
    running.press(CTRL_C)
    expect([await running.ended(), running.isRestored()]).to.deep.equal([0, true])
  })
})
