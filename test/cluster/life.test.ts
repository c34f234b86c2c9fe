import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { isJsonArray, type JsonObject } from '../../src/core/base/json.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { ControlPlane } from '../control-plane/control-plane.ts'
import { startAsDeployed } from '../rights/deployed-operator.ts'
import { MountedConfig } from '../rights/mounted-config.ts'
import type { RolebookProcess } from '../support/rolebook-process.ts'
import { requireBinaries } from './shared-control-plane.ts'

const NAMESPACE = 'life'
const RESOURCES = ['maintpage/maintpage-sample', 'memcached/memcached-sample']
const SAMPLES = ['maintpage', 'memcached'].flatMap((role) => ['-f', `roles/${role}/samples`])
const [OLD_IMAGE, NEW_IMAGE] = ['memcached:1.4.36-alpine', 'memcached:1.6.39-alpine']
const PATIENCE = '--timeout=60s'
/** Kinds whose objects come and go by themselves, or record the past. */
const AMBIENT = /^(event|lease|endpoint|componentstatus|controllerrevision|ipaddress)/

/** The life of an installation, by kubectl alone, on a cluster of its own. */
describe('an installation from its beginning to its end', function () {
  this.timeout(300_000)
  let plane: ControlPlane
  let untouched: readonly string[]
  let first: readonly KubeObject[]
  let operator: RolebookProcess | undefined
  const configs: MountedConfig[] = []

  const kubectl = (...args: readonly string[]): string =>
    execFileSync(plane.kubectl, ['--kubeconfig', plane.kubeconfig, ...args], { encoding: 'utf8' })

  before(async function () {
    requireBinaries(this)
    plane = await ControlPlane.start()
    untouched = everything()
  })
  after(async () => {
    await operator?.stop()
    for (const config of configs) config.remove()
    await plane?.stop()
  })

  function everything(): readonly string[] {
    const kinds = kubectl('api-resources', '--verbs=list', '--output', 'name').trim().split('\n')
    const counted = kinds.filter((kind) => !AMBIENT.test(kind)).join(',')
    const template = '{range .items[*]}{.kind}{" "}{.metadata.namespace}{"/"}{.metadata.name}{"\\n"}{end}'
    return kubectl('get', counted, '--all-namespaces', `--output=jsonpath=${template}`).trim().split('\n').sort()
  }

  /** The process of another version takes the place of the one before, as a rollout of the Deployment does it. */
  async function deploy(change: (config: MountedConfig) => void): Promise<void> {
    await operator?.stop()
    const config = new MountedConfig()
    configs.push(config)
    change(config)
    operator = startAsDeployed(config, plane.serviceAccountKubeconfig('rolebook-system', 'rolebook'))
  }

  function untilReady(): void {
    kubectl('--namespace', NAMESPACE, 'wait', '--for=condition=Ready', PATIENCE, ...RESOURCES)
  }

  function until(object: string, path: string, value: string): void {
    kubectl('--namespace', NAMESPACE, 'wait', `--for=jsonpath={${path}}=${value}`, PATIENCE, object)
  }

  /** What the roles have made, in the order of its names. */
  function children(): readonly KubeObject[] {
    const args = ['get', 'deployments,services,pods', '--selector', 'rolebook.dev/owner-uid', '--output', 'json']
    const { items } = JSON.parse(kubectl('--namespace', NAMESPACE, ...args)) as { items: readonly KubeObject[] }
    return items.toSorted((left, right) => nameOf(left).localeCompare(nameOf(right)))
  }

  it('is installed, and makes what two resources ask for', async () => {
    kubectl('apply', '--server-side', '-k', 'deploy/')
    kubectl('create', 'namespace', NAMESPACE)
    kubectl('--namespace', NAMESPACE, 'apply', ...SAMPLES)
    await deploy(() => undefined)
    untilReady()
    first = children()
    expect(first.map(nameOf)).to.deep.equal([
      'Deployment httpd',
      'Deployment memcached-sample',
      'Pod maintpage-sample-maintpage-pod',
      'Service httpd',
    ])
  })

  it('is upgraded by changed roles: every object follows, and none is made anew', async () => {
    await deploy((config) => {
      config.edit('roles', 'maintpage.yaml', (text) => text.replace('8080-tcp', 'web'))
      config.edit('roles', 'memcached.yaml', (text) => text.replace(OLD_IMAGE, NEW_IMAGE))
    })
    until('service/httpd', '.spec.ports[0].name', 'web')
    until('deployment/memcached-sample', '.spec.template.spec.containers[0].image', NEW_IMAGE)
    untilReady()
    expect(children().map(uidOf)).to.deep.equal(first.map(uidOf))
  })

  it('is downgraded: every object is as it was, and the same', async () => {
    await deploy(() => undefined)
    until('service/httpd', '.spec.ports[0].name', '8080-tcp')
    until('deployment/memcached-sample', '.spec.template.spec.containers[0].image', OLD_IMAGE)
    untilReady()
    expect(children().map(contentOf)).to.deep.equal(first.map(contentOf))
  })

  it('is uninstalled, resources first, and leaves nothing behind', async () => {
    for (const resource of RESOURCES) kubectl('--namespace', NAMESPACE, 'delete', PATIENCE, resource)
    kubectl('--namespace', NAMESPACE, 'wait', '--for=delete', PATIENCE, 'deployments,services,pods', '--all')
    await operator?.stop()
    operator = undefined
    kubectl('delete', PATIENCE, 'namespace', NAMESPACE)
    kubectl('delete', PATIENCE, '-k', 'deploy/')
    expect(everything()).to.deep.equal(untouched)
  })
})

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`
}

function uidOf(object: KubeObject): string {
  return `${nameOf(object)} ${object.metadata.uid}`
}

/** All but what counts changes, and what the cluster says of it. */
function contentOf(object: KubeObject): object {
  const { metadata, status: _status, ...rest } = object
  const { resourceVersion: _version, generation: _generation, managedFields: _fields, ...kept } = metadata
  return { ...rest, metadata: { ...kept, annotations: withoutRevision(kept.annotations) } }
}

/** The Deployment controller counts its ReplicaSets there. */
function withoutRevision(annotations: KubeObject['metadata']['annotations']): JsonObject | undefined {
  if (annotations === undefined || isJsonArray(annotations)) return undefined
  const { 'deployment.kubernetes.io/revision': _revision, ...others } = annotations
  return others
}
