import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FakeClock } from '../../src/core/base/fake-clock.ts'
import type { OperatorOptions } from '../../src/engine/operator/operator.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { eventually } from '../support/eventually.ts'
import { long } from '../support/long-tests.ts'
import { projectAt, type RunningOperator, startOperator } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { WriteLog } from '../support/write-log.ts'
import { type ClusterDriver, KIND } from './cluster-driver.ts'
import { httpDriver } from './http-driver.ts'
import { gone, has, newObject, ready } from './objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from './test-cluster.ts'

describe('an operator that is a Helm chart', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const log = new WriteLog(OPERATOR_AGENT)
  const chart = join(folder.path, 'roles/tomcat/charts/tomcat')
  let cluster: TestCluster
  let running: RunningOperator
  let driver: ClusterDriver
  let namespace: string

  const project = (): Promise<Project> =>
    projectAt({ watchesFile: join(folder.path, 'watches.yaml'), rolesPath: join(folder.path, 'roles') })
  const edit = (name: string, from: string, to: string): void => {
    const path = join(chart, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
  }
  const start = async (options: Partial<OperatorOptions> = {}): Promise<RunningOperator> => {
    const connection = await cluster.connectOperator()
    return startOperator({ connection }, await project(), { watchNamespaces: [namespace], ...options })
  }

  before(async function () {
    cpSync('roles', join(folder.path, 'roles'), { recursive: true })
    cpSync('watches.yaml', join(folder.path, 'watches.yaml'))
    cluster = await startTestCluster(this, await project(), { intercept: log.intercept })
    namespace = await cluster.newNamespace('chart')
    driver = httpDriver(cluster.connection.client, namespace)
    running = await start()
    const resource = newObject(KIND.tomcat, 'web-tomcat', { replicaCount: 1 })
    const annotations = { 'rolebook.dev/reconcile-period': '30s' }
    await driver.apply({ ...resource, metadata: { ...resource.metadata, annotations } })
    await driver.until(KIND.tomcat, 'web-tomcat', ready)
  })
  after(async () => {
    await running?.stop()
    await cluster?.stop()
    folder.remove()
  })

  long.it('writes nothing at rest, however often it is looked at, nor after a restart', async () => {
    const clock = new FakeClock()
    let runs = 0
    const again = async (options: Partial<OperatorOptions>): Promise<void> => {
      await running.stop()
      runs = 0
      running = await start({ ...options, onRun: () => runs++ })
      await eventually(() => runs > 0, 'the resource is looked at after a restart')
      await running.operator.idle()
    }
    await running.operator.idle()
    expect(log.take(), 'the first installation').to.include({ deployments: 1, services: 1 })
    await again({ clock })
    expect(log.take(), 'after a restart').to.deep.equal({})
    const runsBefore = runs
    for (let minute = 0; minute < 10; minute++) {
      await clock.advance(60_000)
      await running.operator.idle()
    }
    expect(runs - runsBefore, 'it was looked at all the time').to.be.at.least(10)
    expect(log.take(), 'at rest').to.deep.equal({})
    await again({})
    expect(log.take(), 'after another restart').to.deep.equal({})
  })

  long.it('follows a new version of the chart: what it changes is changed, what it leaves out goes', async () => {
    edit('Chart.yaml', 'version: 0.1.0', 'version: 0.2.0')
    edit('values.yaml', 'pullPolicy: IfNotPresent', 'pullPolicy: Always')
    rmSync(join(chart, 'templates/service.yaml'))
    running.operator.replaceProject(await project())
    const path = ['spec', 'template', 'spec', 'containers', 0, 'imagePullPolicy']
    await driver.until(KIND.deployment, 'web-tomcat', has(path, 'Always'))
    await driver.until(KIND.service, 'web-tomcat', gone)
    await driver.until(KIND.tomcat, 'web-tomcat', has(['status', 'deployedRelease', 'chartVersion'], '0.2.0'))
  })
})
