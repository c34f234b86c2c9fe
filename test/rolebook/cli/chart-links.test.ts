import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { Metrics } from '../../../src/engine/runtime/metrics.ts'
import { builtinTaskKinds } from '../../../src/engine/tasks/builtin-task-kinds.ts'
import { followProject } from '../../../src/rolebook/cli/follow-project.ts'
import { ReloadReport } from '../../../src/rolebook/cli/reload-report.ts'
import { chartStage } from '../../support/chart-stage.ts'
import { long } from '../../support/long-tests.ts'
import { ProjectFolder } from '../../support/project-folder.ts'
import { projectAt } from '../../support/running-operator.ts'

const CHART = 'roles/widget/charts/app'
const SERVICE = { group: '', version: 'v1', kind: 'Service' }
const ROLE = 'tasks:\n  - chart: { path: charts/app, kinds: [v1/ConfigMap, v1/Service] }\n'
const INVALID = 'the changed project cannot be used; the last good version goes on'
const service = (port: number): string =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: "{{ .Release.Name }}" }\nspec: { ports: [{ port: ${port} }] }\n`

describe('A chart at work whose template becomes a link', () => {
  const stage = chartStage()
  let folder: ProjectFolder
  let clock: FakeClock
  let stop: AbortController
  let following: Promise<void>
  let log: string[]
  let complaints: string[]

  beforeEach(async () => {
    folder = await ProjectFolder.create({
      'watches.yaml': '- {group: example.com, version: v1, kind: Widget, role: widget}\n',
      'roles/widget/role.yaml': ROLE,
      [`${CHART}/Chart.yaml`]: 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
      [`${CHART}/templates/a.yaml`]: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: "{{ .Release.Name }}" }\n',
      [`${CHART}/templates/service.yaml`]: service(80),
      'service.yaml': service(81),
    })
    clock = new FakeClock()
    stop = new AbortController()
    log = []
    complaints = []
    const project = await projectAt({ watchesFile: folder.path('watches.yaml'), rolesPath: folder.path('roles') })
    const operator = stage.sandbox.run(project, { charts: stage.charts })
    await stage.sandbox.widget('w')
    await stage.settle()
    const note = (message: string): void => void log.push(message)
    const logger: Logger = { ...nopLogger, info: note, warn: note, error: note }
    const terminal = { color: false, environment: { POD_NAME: 'p' }, stopped: stop.signal }
    const { client } = stage.sandbox
    const ofReport = { client, clock, logger, metrics: new Metrics({ version: '1' }), terminal, namespace: 'default' }
    following = followProject(project, {
      files: { ...folder.options, kinds: builtinTaskKinds },
      ...{ clock, terminal, operator, report: new ReloadReport(ofReport) },
      complain(text) {
        if (text !== undefined) complaints.push(text.replaceAll(`${folder.root}/`, ''))
      },
    })
  })
  afterEach(async () => {
    stop.abort()
    await following
    await folder.delete()
  })

  const logged = (count: number): Promise<unknown> =>
    stage.sandbox.until(
      async () => {
        await clock.advance(500)
        return log.length
      },
      (seen) => seen >= count,
    )

  const port = async (): Promise<unknown> => {
    const spec = (await stage.sandbox.get(SERVICE, 'w'))?.spec as { ports: readonly { port: number }[] } | undefined
    return spec?.ports[0]?.port
  }

  for (const { name, target, problem } of [
    { name: 'to nowhere', target: 'gone.yaml', problem: 'RB1301 a link leads to no file or folder' },
    {
      name: 'out of the role',
      target: '../../../../../service.yaml',
      problem: 'RB1304 a link leads out of the folder',
    },
  ]) {
    long.it(`${name} is not used: the complaint names the link, and what the template has made stays`, async () => {
      await folder.remove(`${CHART}/templates/service.yaml`)
      await folder.link(`${CHART}/templates/service.yaml`, target)
      await logged(1)
      expect(log).to.deep.equal([INVALID])
      expect(complaints.join('')).to.include(`${CHART}/templates/service.yaml:1:1 error ${problem}`)
      expect(await stage.sandbox.settled()).to.deep.equal([])
      expect(await port()).to.equal(80)
      await stage.sandbox.widget('w', { edited: true })
      await stage.sandbox.ready('Ready', { generation: 2 })
      await stage.sandbox.settled()
      expect(await port()).to.equal(80)
      await folder.remove(`${CHART}/templates/service.yaml`)
      await folder.write(`${CHART}/templates/service.yaml`, service(82))
      await logged(2)
      await stage.sandbox.until(port, (seen) => seen === 82)
    })
  }
})
