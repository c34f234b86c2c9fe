import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { followProject } from '../../../src/rolebook/cli/follow-project.ts'
import { installCrds } from '../../../src/rolebook/cli/install-crds.ts'
import { ReloadReport } from '../../../src/rolebook/cli/reload-report.ts'
import type { Intercept } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { failureReply } from '../../support/failure-reply.ts'
import { crd, OperatorSandbox, WIDGET } from '../../support/operator-sandbox.ts'
import { ProjectFolder } from '../../support/project-folder.ts'
import { projectAt } from '../../support/running-operator.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const DELAYED =
  'the changed project is tried again until the API server lets it be used; the last good version goes on until then'
const REFUSED = 'the changed project is not used; the last good version goes on'
const USED = 'project reloaded'

const role = (shown: string): string => `tasks: [{status: {shown: ${shown}}}]\n`

describe('a project whose CRDs are installed before a change of it is used', () => {
  let sandbox: OperatorSandbox
  let folder: ProjectFolder
  let clock: FakeClock
  let stop: AbortController
  let metrics: Metrics
  let following: Promise<void>
  /** What is answered to requests for CRDs instead of what they ask for. */
  let fault: ReturnType<Intercept>
  /** How many requests for CRDs there were. */
  let asked: number
  let whenAsked: () => void
  let log: string[]
  let problems: (string | undefined)[]

  beforeEach(async () => {
    fault = undefined
    asked = 0
    whenAsked = () => undefined
    log = []
    problems = []
    const intercept: Intercept = ({ phase, path }) => {
      if (phase !== 'before' || !path.startsWith(CRDS)) return undefined
      asked++
      whenAsked()
      return fault
    }
    sandbox = await OperatorSandbox.start({ workloads: false, intercept })
    const files = {
      'watches.yaml': '- {group: example.com, version: v1, kind: Widget, role: widget}\n',
      'roles/widget/role.yaml': role('one'),
      'roles/widget/crd.yaml': JSON.stringify(crd(WIDGET)),
    }
    folder = await ProjectFolder.create(files)
    await follow()
    await shows('one')
  })
  afterEach(async () => {
    stop.abort()
    await following
    await sandbox.stop()
    await folder.delete()
  })

  async function follow(): Promise<void> {
    clock = new FakeClock()
    stop = new AbortController()
    metrics = new Metrics({ version: '1', ofProcess: false })
    const note = (message: string): void => void log.push(message)
    const logger: Logger = { ...nopLogger, info: note, warn: note, error: note }
    const place = { watchesFile: folder.path('watches.yaml'), rolesPath: folder.path('roles') }
    const first = await projectAt(place)
    const operator = sandbox.run(first)
    const { connection } = sandbox.cluster
    const terminal = { color: false, environment: { POD_NAME: 'p' }, stopped: stop.signal }
    await sandbox.widget('w')
    following = followProject(first, {
      files: { ...folder.options, kinds: builtinTaskKinds },
      ...{ clock, terminal, operator },
      report: new ReloadReport({ client: sandbox.client, clock, logger, metrics, terminal, namespace: 'default' }),
      beforeReload: ({ crds }: Project) =>
        installCrds(crds, { connection, clock: systemClock, logger: nopLogger, signal: stop.signal }),
      complain: (problem) => void problems.push(problem),
    })
  }

  /** Lets time pass until something has come about. */
  const until = (holds: () => boolean): Promise<unknown> =>
    sandbox.until(async () => {
      await clock.advance(500)
      return holds()
    }, Boolean)

  /** Lets time pass in which a further try would be due, and would reach the server. */
  async function longTime(): Promise<void> {
    await clock.advance(3_600_000)
    await sandbox.get(WIDGET, 'w')
  }

  /** In one step, as editors save: a file that is half written would be a change of its own. */
  const changeTo = async (shown: string): Promise<void> => {
    await folder.write('new/role.yaml', role(shown))
    await folder.move('new/role.yaml', 'roles/widget/role.yaml')
  }

  const logged = (count: number): Promise<unknown> => until(() => log.length >= count)

  const shows = (text: string): Promise<unknown> =>
    sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => (widget?.status as { shown?: string } | undefined)?.shown === text,
    )

  const isSuccessful = async (): Promise<boolean> =>
    /^rolebook_last_reload_successful 1$/m.test((await metrics.expose()).text)

  for (const { name, reply } of [
    { name: 'a server that fails', reply: failureReply(503, 'ServiceUnavailable') },
    { name: 'a connection that breaks', reply: 'drop' as const },
    { name: 'rights that are not granted yet', reply: failureReply(403, 'Forbidden') },
  ]) {
    it(`is used when the API server lets it, and the log says once that it waits: ${name}`, async () => {
      fault = reply
      await changeTo('two')
      await logged(1)
      const before = asked
      await until(() => asked > before + 3)
      expect(log).to.deep.equal([DELAYED])
      expect(await isSuccessful()).to.equal(false)
      fault = undefined
      await logged(2)
      expect(log).to.deep.equal([DELAYED, USED])
      expect(await isSuccessful()).to.equal(true)
      await shows('two')
    })
  }

  it('is complained of when it would take the role from resources, until it is mended', async () => {
    const entryWith = (more: string): string =>
      `- {group: example.com, version: v1, kind: Widget, role: widget, ${more}}\n`
    await folder.write('watches.yaml', entryWith('selector: {matchLabels: {a: b}}'))
    await logged(1)
    expect([log, problems.length]).to.deep.equal([[REFUSED], 1])
    expect(problems[0]).to.match(/widget[\s\S]*the change is not used; the last good version goes on\n$/i)
    await folder.write('watches.yaml', entryWith('reconcilePeriod: 1h'))
    await logged(2)
    expect([log, problems.slice(1)]).to.deep.equal([[REFUSED, USED], [undefined]])
  })

  it('gives up what waits for the API server when the files change once more', async () => {
    fault = failureReply(503, 'ServiceUnavailable')
    await changeTo('two')
    await logged(1)
    await changeTo('three')
    await logged(2)
    fault = undefined
    await logged(3)
    expect(log).to.deep.equal([DELAYED, DELAYED, USED])
    await shows('three')
  })

  it('waits no more for the API server when the files have changed to what cannot be used', async () => {
    fault = failureReply(503, 'ServiceUnavailable')
    await changeTo('two')
    await logged(1)
    await folder.write('roles/widget/role.yaml', 'tasks: [')
    await logged(2)
    const before = asked
    await longTime()
    expect(asked).to.equal(before)
    expect(log).to.deep.equal([DELAYED, 'the changed project cannot be used; the last good version goes on'])
  })

  const lesser = crd(WIDGET, { status: { type: 'object', properties: { shown: { type: 'string' } } } })
  const wrong: { name: string; path: string; text: string; reply?: ReturnType<Intercept> }[] = [
    { name: 'a CRD that takes something away', path: 'roles/widget/crd.yaml', text: JSON.stringify(lesser) },
    {
      name: 'an answer that stays the same',
      ...{ path: 'roles/widget/role.yaml', text: role('two'), reply: failureReply(422, 'Invalid') },
    },
  ]
  for (const { name, path, text, reply } of wrong) {
    it(`is refused at once, and not tried again, for ${name}`, async () => {
      fault = reply
      await folder.write(path, text)
      await logged(1)
      const before = asked
      await longTime()
      expect(asked).to.equal(before)
      expect(log).to.deep.equal([REFUSED])
      expect(await isSuccessful()).to.equal(false)
    })
  }

  it('waits no more for the API server when the program stops', async () => {
    fault = failureReply(503, 'ServiceUnavailable')
    await changeTo('two')
    await logged(1)
    stop.abort()
    await following
    expect(log).to.deep.equal([DELAYED])
    expect(clock.pending).to.equal(0)
  })

  it('says nothing of a try that ends because the program stops', async () => {
    fault = failureReply(503, 'ServiceUnavailable')
    whenAsked = () => stop.abort()
    await changeTo('two')
    await until(() => stop.signal.aborted)
    await following
    expect(log).to.deep.equal([])
  })
})
