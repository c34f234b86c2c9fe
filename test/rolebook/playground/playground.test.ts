import { expect } from 'chai'
import type { ClusterState, PlaygroundRequest } from '../../../src/rolebook/playground/protocol.ts'
import { withEdits } from '../../../src/rolebook/playground/text-edits.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { NOTE_PROJECT } from '../cli/note-project.ts'
import { Asker } from './asker.ts'

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'hello' }
const ROLE = 'roles/note/role.yaml'

describe('what the page asks of its worker', () => {
  const folder = temporaryFolder()
  let page: Asker

  const isMade = ({ objects }: ClusterState): boolean => objects.some(({ kind }) => kind === 'ConfigMap')
  const failureOf = (request: PlaygroundRequest): Promise<string> =>
    page.ask(request).then(
      () => 'none',
      ({ message }: Error) => message,
    )

  before(async () => {
    page = new Asker(folder.at('project'))
    const ready = page.until((state) => isMade(state) && state.isIdle && state.rows[0]?.ready === 'True')
    expect(await page.open(NOTE_PROJECT)).to.deep.equal({ isUsed: true, diagnostics: [] })
    await ready
  })
  after(() => page.stop())

  it('an object in YAML', async () => {
    expect(await page.ask({ type: 'get', object: CONFIG })).to.include('text: good morning')
    expect(await failureOf({ type: 'get', object: { ...CONFIG, name: 'none' } })).to.equal('there is no ConfigMap none')
  })

  it('all about a resource', async () => {
    const state = page.until(() => true)
    await page.ask({ type: 'runClock', isRunning: true })
    const uid = (await state).rows[0]?.uid ?? ''
    const details = await page.ask({ type: 'details', uid })
    expect(details?.objects.map(({ name }) => name)).to.deep.equal(['hello'])
    expect(details?.tasks).to.have.length(1)
    expect(await page.ask({ type: 'details', uid: 'none' })).to.equal(null)
  })

  it('an edit by hand, which the operator puts back', async () => {
    const text = await page.ask({ type: 'get', object: CONFIG })
    page.writes.length = 0
    const mended = page.until(() => page.writes.length >= 2)
    await page.ask({ type: 'edit', text: text.replace('good morning', 'nonsense') })
    await mended
    expect(page.writes.map(({ by, fields }) => [by, fields[0]?.to])).to.deep.equal([
      ['kubectl-edit', '"nonsense"'],
      ['rolebook', '"good morning"'],
    ])
  })

  it('a deletion while the server is away, which the operator mends when it is back', async () => {
    const gone = page.until((state) => !isMade(state))
    await page.ask({ type: 'connect', isConnected: false })
    await page.ask({ type: 'delete', object: CONFIG })
    await gone
    const made = page.until(isMade)
    await page.ask({ type: 'connect', isConnected: true })
    await page.ask({ type: 'advance', milliseconds: 60_000 })
    await made
  })

  it('another time, which it shows although nothing happens', async () => {
    const stopped = page.until(({ isClockRunning }) => !isClockRunning)
    await page.ask({ type: 'runClock', isRunning: false })
    const { now } = await stopped
    const moved = page.until((state) => state.now !== now)
    await page.ask({ type: 'advance', milliseconds: 1000 })
    expect((await moved).now - now).to.equal(1000)
    await page.ask({ type: 'runClock', isRunning: true })
  })

  it('a change of the role; after a mistake the last good version stays in use', async () => {
    const wrong = await page.ask({ type: 'change', files: { ...NOTE_PROJECT, [ROLE]: 'tasks: [{ensur: {}}]\n' } })
    expect(wrong.isUsed).to.equal(false)
    expect(wrong.diagnostics.map(({ file, line }) => [file, line])).to.deep.include([ROLE, 1])
    page.writes.length = 0
    const followed = page.until(() => page.writes.some(({ object }) => object.kind === 'ConfigMap'))
    const role = NOTE_PROJECT[ROLE].replace('${spec.text}', 'good evening')
    expect((await page.ask({ type: 'change', files: { ...NOTE_PROJECT, [ROLE]: role } })).isUsed).to.equal(true)
    await followed
    const change = { field: 'data.text', from: '"good morning"', to: '"good evening"' }
    expect(page.writes[0]?.fields).to.deep.include(change)
  })

  it('what may stand at a place, and what is known of what stands there', async () => {
    const text = NOTE_PROJECT[ROLE]
    const completion = await page.ask({
      type: 'complete',
      place: { path: ROLE, text: `${text}  - ens`, offset: text.length + 7 },
    })
    expect(completion.suggestions.map(({ label }) => label)).to.include('ensure')
    expect(completion.start).to.equal(text.length + 4)
    const known = await page.ask({ type: 'hover', place: { path: ROLE, text, offset: text.indexOf('ensure') + 1 } })
    expect(known?.text).to.include('ensure')
  })

  describe('in a project with a variable', () => {
    const FILES = {
      ...NOTE_PROJECT,
      'watches.yaml': '- {group: example.com, version: v1, kind: Note, role: note, vars: {greeting: hello}}\n',
      [ROLE]: NOTE_PROJECT[ROLE]
        .replace('${spec.text}', '${$greeting}')
        .replace('tasks:', 'vars: {greeting: hi}\ntasks:'),
    }
    const text = FILES[ROLE]
    const at = (word: string, inner = 1) => ({ path: ROLE, text, offset: text.indexOf(word) + inner })

    before(() => page.ask({ type: 'change', files: FILES }))

    it('where a name comes from, and the file that a place names', async () => {
      const places = await page.ask({ type: 'define', place: at('$greeting') })
      expect(
        places.map(({ path, start, end }) => [path, FILES[path as keyof typeof FILES].slice(start, end)]),
      ).to.deep.equal([
        [ROLE, 'greeting'],
        ['watches.yaml', 'greeting'],
      ])
      const watches = FILES['watches.yaml']
      const entry = { path: 'watches.yaml', text: watches, offset: watches.indexOf('note') + 1 }
      expect(await page.ask({ type: 'define', place: entry })).to.deep.equal([{ path: ROLE, start: 0, end: 0 }])
      expect(await page.ask({ type: 'define', place: at('kind:') })).to.deep.equal([])
    })

    it('another name, in all files', async () => {
      const name = await page.ask({ type: 'name', place: at('$greeting') })
      expect(name && text.slice(name.start, name.end)).to.equal('greeting')
      expect(await page.ask({ type: 'name', place: at('kind:') })).to.equal(null)
      const edits = await page.ask({ type: 'rename', place: at('$greeting'), name: 'welcome' })
      const files = withEdits(FILES, edits)
      expect(files[ROLE]).to.equal(text.replaceAll('greeting', 'welcome'))
      expect(files['watches.yaml']).to.include('vars: {welcome: hello}')
      expect((await page.ask({ type: 'change', files })).diagnostics).to.deep.equal([])
    })

    it('no name that cannot be, and none where there is nothing to rename', async () => {
      await page.ask({ type: 'change', files: FILES })
      expect(await failureOf({ type: 'rename', place: at('$greeting'), name: 'now' })).to.equal(
        'cannot rename: `$now` is a function (choose another name)',
      )
      expect(await failureOf({ type: 'rename', place: at('kind:'), name: 'x' })).to.match(
        /^cannot rename: .* \(put it on/,
      )
    })

    it('places of the files as they are now, although a question had an older text', async () => {
      const older = `# older\n${text}`
      await page.ask({ type: 'hover', place: { path: ROLE, text: older, offset: 0 } })
      await page.ask({ type: 'change', files: FILES })
      const watches = FILES['watches.yaml']
      const place = { path: 'watches.yaml', text: watches, offset: watches.indexOf('greeting') + 1 }
      const edits = await page.ask({ type: 'rename', place, name: 'welcome' })
      expect(withEdits(FILES, edits)[ROLE]).to.equal(text.replaceAll('greeting', 'welcome'))
    })
  })

  it('what the hint of a mistake proposes to write', async () => {
    const role = NOTE_PROJECT[ROLE].replace('ensure', 'ensur')
    const { diagnostics } = await page.ask({ type: 'change', files: { ...NOTE_PROJECT, [ROLE]: role } })
    const fixes = diagnostics.flatMap((one) => one.fixes)
    expect(fixes.map(({ title }) => title)).to.deep.equal(['Replace with ensure'])
    const edits = fixes.flatMap((fix) => fix.edits.map((edit) => ({ path: ROLE, ...edit })))
    expect(withEdits({ [ROLE]: role }, edits)).to.deep.equal({ [ROLE]: NOTE_PROJECT[ROLE] })
  })

  it('the results of the tests of its roles', async () => {
    const test = (text: string): string =>
      `given: [../samples/hello.yaml]\nsteps: [{expect: [{kind: ConfigMap, name: hello, data: {text: ${text}}}]}]\n`
    const tests = {
      'roles/note/tests/good.yaml': test('good morning'),
      'roles/note/tests/wrong.yaml': test('good night'),
      'roles/note/tests/no-test.yaml': 'given: [../samples/none.yaml]\nsteps: [{advance: 1m}]\n',
    }
    await page.ask({ type: 'change', files: { ...NOTE_PROJECT, ...tests } })
    const results = await page.ask({ type: 'test' })
    expect(results.map(({ role, path, isPassed }) => [role, path, isPassed])).to.deep.equal([
      ['', 'roles/note/tests/no-test.yaml', false],
      ['note', 'roles/note/tests/good.yaml', true],
      ['note', 'roles/note/tests/wrong.yaml', false],
    ])
    const report = 'roles/note/tests/no-test.yaml:1:9: cannot read roles/note/samples/none.yaml'
    expect(results[0]?.report).to.equal(report)
    expect(results[2]?.report).to.include('roles/note/tests/wrong.yaml').and.to.include('good night')
  })

  it('an object that is not there yet', async () => {
    const made = page.until(({ objects }) => objects.some(({ name }) => name === 'by-hand'))
    await page.ask({ type: 'apply', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: by-hand }\n' })
    await made
  })

  it('what happens while the clock stands has the time at which it stands', async () => {
    await page.ask({ type: 'change', files: NOTE_PROJECT })
    await page.ask({ type: 'runClock', isRunning: false })
    page.writes.length = 0
    const text = await page.ask({ type: 'get', object: CONFIG })
    const rests = page.until(({ isIdle, now }) => isIdle && page.writes.length >= 2 && page.writes[0]?.at === now)
    await page.ask({ type: 'edit', text: text.replace('good morning', 'later') })
    const { now } = await rests
    expect([...new Set(page.writes.map(({ at }) => at))]).to.deep.equal([now])
    await page.ask({ type: 'runClock', isRunning: true })
  })

  it('what is not YAML of objects is refused with its line', async () => {
    expect(await failureOf({ type: 'apply', text: 'kind: [\n' })).to.match(/^line \d+: /)
  })
})

describe('a project that the page opens', () => {
  const folder = temporaryFolder()
  const WRONG = { ...NOTE_PROJECT, [ROLE]: NOTE_PROJECT[ROLE].replace('ensure', 'ensur') }
  const SAMPLE = 'roles/note/samples/hello.yaml'
  const inNamespace = (namespace: string): typeof NOTE_PROJECT => {
    const sample = NOTE_PROJECT[SAMPLE].replace('name: hello', `name: hello, namespace: ${namespace}`)
    return { ...NOTE_PROJECT, [SAMPLE]: sample }
  }
  const place = { path: ROLE, text: NOTE_PROJECT[ROLE], offset: 3 }
  const NOTHING = { suggestions: [], start: 3, end: 3 }
  let page: Asker

  const failureOf = (request: PlaygroundRequest): Promise<string> =>
    page.ask(request).then(
      () => 'none',
      ({ message }: Error) => message,
    )

  before(() => {
    page = new Asker(folder.at('project'))
  })
  after(async () => {
    await page.stop()
    folder.remove()
  })

  it('is none before the first: nothing is known of a text', async () => {
    expect(await page.ask({ type: 'complete', place })).to.deep.equal(NOTHING)
    expect(await page.ask({ type: 'hover', place })).to.equal(null)
    expect(await page.ask({ type: 'define', place })).to.deep.equal([])
    expect(await page.ask({ type: 'name', place })).to.equal(null)
    expect(await page.ask({ type: 'rename', place, name: 'other' })).to.deep.equal([])
  })

  it('lacks the file that makes it a project', async () => {
    const { isUsed, diagnostics } = await page.open({ [ROLE]: NOTE_PROJECT[ROLE] })
    expect(isUsed).to.equal(false)
    expect(diagnostics.map(({ file, fixes }) => [file, fixes])).to.deep.equal([['watches.yaml', []]])
    expect(await page.ask({ type: 'complete', place })).to.deep.equal(NOTHING)
    expect(await page.ask({ type: 'define', place })).to.deep.equal([])
  })

  it('has a mistake from the begin: there is no cluster until it is mended', async () => {
    expect((await page.open(WRONG)).isUsed).to.equal(false)
    expect(await failureOf({ type: 'get', object: CONFIG })).to.equal('there is no cluster: mend the project first')
    expect(await failureOf({ type: 'test' })).to.equal('cannot run the tests: the project has errors')
    const made = page.until(({ objects }) => objects.some(({ kind }) => kind === 'ConfigMap'))
    expect(await page.ask({ type: 'change', files: NOTE_PROJECT })).to.deep.equal({ isUsed: true, diagnostics: [] })
    await made
  })

  it('is asked for while another one is opened: each report says which one it is of', async () => {
    page.reports.length = 0
    const made = page.until(({ isIdle }) => isIdle && page.reports.at(-1)?.revision === page.revision)
    await Promise.all([page.open(NOTE_PROJECT), page.open(NOTE_PROJECT)])
    await made
    const reportsOf = (one: number) => page.reports.filter(({ revision }) => revision === one)
    const [first, second] = [reportsOf(page.revision - 1), reportsOf(page.revision)]
    expect([...first, ...second], 'the second begins when the first is over').to.deep.equal(page.reports)
    const uids = new Set(second.flatMap((report) => report.uids))
    expect(uids, 'of a cluster with something in it').not.to.have.lengthOf(0)
    expect(first.flatMap((report) => report.uids).filter((uid) => uids.has(uid))).to.deep.equal([])
  })

  it('has a sample that the server refuses: the page says so when it is opened, and when it is changed', async () => {
    const refusal = `cannot apply ${SAMPLE}: namespaces "other" not found`
    const opened = await page.open(inNamespace('other'))
    expect(opened).to.deep.equal({ isUsed: true, diagnostics: [], refusal })
    expect(await page.ask({ type: 'change', files: inNamespace('default') })).to.deep.equal({
      isUsed: true,
      diagnostics: [],
    })
    const changed = await page.ask({ type: 'change', files: inNamespace('other') })
    expect(changed).to.deep.equal({ isUsed: true, diagnostics: [], refusal })
  })
})
