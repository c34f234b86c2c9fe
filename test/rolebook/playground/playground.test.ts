import { expect } from 'chai'
import type { ClusterState, PlaygroundRequest } from '../../../src/rolebook/playground/protocol.ts'
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
    expect(await page.ask({ type: 'open', files: NOTE_PROJECT })).to.deep.equal({ isUsed: true, diagnostics: [] })
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

  it('what is not YAML of objects is refused with its line', async () => {
    expect(await failureOf({ type: 'apply', text: 'kind: [\n' })).to.match(/^line \d+: /)
  })
})
