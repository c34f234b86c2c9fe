import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { at, has, newObject, ready } from '../scenarios/objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { ConfigMapMount } from '../support/config-map-mount.ts'
import { eventually } from '../support/eventually.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type LoggedWrite, WriteLog } from '../support/write-log.ts'

const maintPage = (name: string) =>
  newObject(KIND.maintPage, name, {
    maintpageconfig: { maintpagetoggle: false, maintpageimage: 'page:1' },
    appconfig: { appname: `app-${name}`, appimage: 'app:1' },
  })

const isOfObject = ({ resource }: LoggedWrite): boolean => resource !== 'maintpages/status'
const hasName = (port: string) => has(['spec', 'ports', 0, 'name'], port)

describe('a person edits a role while the operator runs', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const log = new WriteLog(OPERATOR_AGENT)
  let cluster: TestCluster
  let namespace: string
  let driver: ClusterDriver
  let program: RolebookProcess

  before(async function () {
    cluster = await startTestCluster(this, await projectAt(), { intercept: log.intercept })
  })
  beforeEach(async () => {
    namespace = await cluster.newNamespace('edit')
    driver = httpDriver(cluster.connection.client, namespace)
  })
  afterEach(async () => {
    await program?.stop()
    log.take()
  })
  after(async () => {
    await cluster?.stop()
    folder.remove()
  })

  const start = (watchesFile: string, rolesPath: string): void => {
    const files = ['--watches-file', watchesFile, '--roles-path', rolesPath]
    const where = ['--kubeconfig', cluster.operatorKubeconfig, '--namespace', namespace]
    program = new RolebookProcess(['run', ...where, ...files])
  }

  it('adds a label and renames a port: every resource follows, with exactly the writes that are needed', async () => {
    const roles = join(folder.path, 'roles')
    cpSync('roles', roles, { recursive: true })
    start('watches.yaml', roles)
    const names = ['one', 'two', 'three']
    for (const name of names) await driver.apply(maintPage(name))
    for (const name of names) await driver.until(KIND.maintPage, name, ready)
    log.take()

    const path = join(roles, 'maintpage/role.yaml')
    const edited = readFileSync(path, 'utf8')
      .replace(
        '        name: ${$app}\n      spec:\n        replicas',
        '        name: ${$app}\n        labels: { tier: web }\n      spec:\n        replicas',
      )
      .replace('name: 8080-tcp', 'name: http')
    writeFileSync(path, edited)
    for (const name of names) {
      await driver.until(KIND.deployment, `app-${name}`, has(['metadata', 'labels', 'tier'], 'web'))
      await driver.until(KIND.service, `app-${name}`, hasName('http'))
      await driver.until(KIND.maintPage, name, ready)
    }
    // What can be seen in the cluster may be on its way back to the operator still.
    await eventually(() => log.writes.filter(isOfObject).length >= 6, 'each write has its answer')
    const { 'maintpages/status': _progress, ...writes } = log.take()
    expect(writes).to.deep.equal({ deployments: 3, services: 3 })
    expect(await driver.list(KIND.pod, 'app=one')).to.have.length(1)
  })

  it('makes a mistake: the last good version goes on, and the next good one takes over', async () => {
    const roles = join(folder.path, 'mistaken')
    cpSync('roles', roles, { recursive: true })
    start('watches.yaml', roles)
    await driver.apply(maintPage('page'))
    await driver.until(KIND.maintPage, 'page', ready)

    const path = join(roles, 'maintpage/role.yaml')
    const good = readFileSync(path, 'utf8')
    writeFileSync(path, good.replace('${$app}', '${$nobody}'))
    await program.until('the mistake is reported', ({ stderr }) => stderr.includes('the last good version goes on'))
    expect(program.stderr).to.match(/maintpage\/role\.yaml:\d+:\d+ error RB1\d{3} .*\$nobody/)
    await driver.patch(KIND.maintPage, 'page', { spec: { maintpageconfig: { maintpagetoggle: true } } })
    await driver.until(KIND.service, 'app-page', has(['spec', 'selector'], { app: 'page' }))

    writeFileSync(path, good.replace('name: 8080-tcp', 'name: mended'))
    await driver.until(KIND.service, 'app-page', hasName('mended'))
  })

  it('edits a mounted ConfigMap, as the kubelet writes it', async () => {
    const mount = new ConfigMapMount(join(folder.path, 'mount'))
    const role = readFileSync('roles/maintpage/role.yaml', 'utf8')
    const watches = readFileSync('watches.yaml', 'utf8').split('\n\n')[0] ?? ''
    mount.publish({ 'maintpage.yaml': role, 'watches.yaml': watches })
    start(mount.file('watches.yaml'), mount.path)
    await driver.apply(maintPage('page'))
    await driver.until(KIND.maintPage, 'page', ready)

    for (const port of ['second', 'third']) {
      mount.publish({ 'maintpage.yaml': role.replace('8080-tcp', port), 'watches.yaml': watches })
      const service = await driver.until(KIND.service, 'app-page', hasName(port))
      expect(at(service, 'spec', 'ports')).to.have.length(1)
    }
  })
})
