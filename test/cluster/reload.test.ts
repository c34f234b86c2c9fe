import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'chai'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type ClusterDriver, KIND } from '../scenarios/cluster-driver.ts'
import { httpDriver } from '../scenarios/http-driver.ts'
import { has, newObject, ready } from '../scenarios/objects.ts'
import { OPERATOR_AGENT, startTestCluster, type TestCluster } from '../scenarios/test-cluster.ts'
import { ConfigMapMount } from '../support/config-map-mount.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { projectAt } from '../support/running-operator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { WriteLog } from '../support/write-log.ts'

const HOME = 'rolebook-system'
const EVENT = { group: '', version: 'v1', kind: 'Event' }
const FILES = {
  'watches.yaml': readFileSync('watches.yaml', 'utf8').split('\n\n')[0] ?? '',
  'maintpage.yaml': readFileSync('roles/maintpage/role.yaml', 'utf8'),
}
const hasPort = (name: string) => has(['spec', 'ports', 0, 'name'], name)

describe('roles in a ConfigMap that people edit while the operator runs', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const mount = new ConfigMapMount(join(folder.path, 'mount'))
  const log = new WriteLog(OPERATOR_AGENT)
  const pod = `rolebook-${Date.now().toString(36)}`
  let cluster: TestCluster
  let driver: ClusterDriver
  let home: ClusterDriver
  let watched: string
  let program: RolebookProcess

  before(async function () {
    cluster = await startTestCluster(this, await projectAt(), { intercept: log.intercept })
    const { client } = cluster.connection
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } }
    await client.apply(namespace, { fieldManager: 'test', force: true })
    home = httpDriver(client, HOME)
    await home.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: pod }, data: FILES })
    mount.publish(FILES)
    watched = await cluster.newNamespace('reload')
    driver = httpDriver(client, watched)
    const files = ['--watches-file', mount.file('watches.yaml'), '--roles-path', mount.path]
    const where = ['--kubeconfig', cluster.operatorKubeconfig, '--namespace', watched, '--leader-elect=false']
    const seen = ['--metrics-bind-address=127.0.0.1:0', '--metrics-secure=false']
    program = new RolebookProcess(['run', ...where, ...files, ...seen], {
      env: { ...env, POD_NAMESPACE: HOME, POD_NAME: pod },
    })
    await driver.apply(
      newObject(KIND.maintPage, 'page', {
        maintpageconfig: { maintpagetoggle: false, maintpageimage: 'page:1' },
        appconfig: { appname: 'app', appimage: 'app:1' },
      }),
    )
    await driver.until(KIND.maintPage, 'page', ready)
  })
  after(async () => {
    await program?.stop()
    await home?.remove(KIND.configMap, pod)
    await cluster?.stop()
    folder.remove()
  })

  /** As `kubectl edit` does it where there is a kubectl; the mount follows, as the kubelet has it. */
  async function edit(from: string, to: string): Promise<void> {
    const { kubectl, kubeconfig } = cluster
    if (kubectl) {
      const args = ['--kubeconfig', kubeconfig, '--namespace', HOME, 'edit', 'configmap', pod]
      execFileSync(kubectl, args, { env: { ...env, KUBE_EDITOR: `sed -i s/${from}/${to}/` }, stdio: 'ignore' })
    } else {
      const { data } = (await home.read(KIND.configMap, pod)) as KubeObject & { data: typeof FILES }
      const text = data['maintpage.yaml'].replaceAll(from, to)
      await home.patch(KIND.configMap, pod, { data: { 'maintpage.yaml': text } })
    }
    const { data } = (await home.read(KIND.configMap, pod)) as KubeObject & { data: typeof FILES }
    mount.publish(data)
  }

  async function counted(name: string): Promise<string | undefined> {
    const [, url = ''] = /metrics server.*(http:\/\/127\.0\.0\.1:\d+)/.exec(program.stderr) ?? []
    const text = await (await fetch(`${url}/metrics`)).text()
    return text.split('\n').find((line) => line.startsWith(`${name} `))
  }

  /** The events that the operator has recorded about its pod and the resources that it watches: `Warning ReloadFailed …`. */
  async function events(): Promise<readonly string[]> {
    const { items } = await cluster.connection.client.list(EVENT, {})
    const own = items.filter(({ involvedObject, reportingComponent }) => {
      const { name, namespace } = involvedObject as { name?: string; namespace?: string }
      return reportingComponent === 'rolebook.dev/operator' && (name === pod || namespace === watched)
    })
    return own.map(({ type, reason, message }) => `${type} ${reason} ${message}`)
  }

  async function eventWith(text: string): Promise<void> {
    while (!(await events()).some((event) => event.includes(text)));
  }

  it('is followed without a restart', async () => {
    await edit('8080-tcp', 'second')
    await driver.until(KIND.service, 'app', hasPort('second'))
    await driver.until(KIND.maintPage, 'page', ready)
    await eventWith('Normal Reloaded the project can be used and is at work: 1 watches')
    await eventWith('Normal Changed changed spec.ports[name=8080-tcp], spec.ports[name=second] of Service')
    expect(await counted('rolebook_reloads_total{result="used"}')).to.match(/ 1$/)
    expect(await counted('rolebook_last_reload_successful')).to.match(/ 1$/)
  })

  it('is left alone where it is broken: nothing changes but the metric and the event', async () => {
    log.take()
    const before = await events()
    await edit('second', '${$nobody}')
    await eventWith('Warning ReloadFailed the last good version goes on: the changed project has ')
    expect(await counted('rolebook_reloads_total{result="invalid"}')).to.match(/ 1$/)
    expect(await counted('rolebook_last_reload_successful')).to.match(/ 0$/)
    expect(log.take()).to.deep.equal({})
    expect(await events(), 'events').to.have.length(before.length + 1)
    await driver.patch(KIND.maintPage, 'page', { spec: { maintpageconfig: { maintpagetoggle: true } } })
    await driver.until(KIND.service, 'app', has(['spec', 'selector'], { app: 'page' }))
  })

  it('is healed by the next good edit, and the event says so', async () => {
    await edit('${$nobody}', 'third')
    await driver.until(KIND.service, 'app', hasPort('third'))
    await eventWith('Normal Reloaded the project can be used again')
    expect(await counted('rolebook_last_reload_successful')).to.match(/ 1$/)
    expect(await counted('rolebook_reloads_total{result="used"}')).to.match(/ 2$/)
  })
})
