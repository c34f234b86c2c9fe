import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { validate } from '../../src/core/schema/validate.ts'
import { RUN_SETTINGS } from '../../src/rolebook/cli/run-settings.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'

interface Container {
  readonly args: readonly string[]
  readonly securityContext: object
  readonly volumeMounts: readonly object[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } }
}

interface PodSpec {
  readonly serviceAccountName: string
  readonly securityContext: object
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
  readonly volumes: readonly { readonly configMap: { readonly name: string } }[]
}

const read = (file: string): KubeObject[] =>
  parseAllDocuments(readFileSync(`deploy/${file}`, 'utf8')).map((document) => document.toJS() as KubeObject)
const kustomization = parse(readFileSync('deploy/kustomization.yaml', 'utf8')) as { readonly resources: string[] }
const podOf = (): PodSpec => {
  const [deployment] = read('deployment.yaml')
  return (deployment as unknown as { spec: { template: { spec: PodSpec } } }).spec.template.spec
}

describe('deploy/', () => {
  it('names in its kustomization every file that there is', () => {
    const manifests = readdirSync('deploy').filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    expect(kustomization.resources).to.have.members(manifests)
    expect(kustomization.resources[0]).to.equal('namespace.yaml')
  })

  it('holds objects that their schemas allow', () => {
    const schemas = loadBuiltinSchemas()
    for (const object of kustomization.resources.flatMap(read)) {
      const schema = schemas.get(gvkOf(object))
      expect(schema, object.kind).to.be.an('object')
      expect(validate(object, schema as object), object.kind).to.deep.equal([])
    }
  })

  it('grants nothing by a wildcard', () => {
    const rules = read('rbac.yaml').flatMap(({ rules = [] }) => rules as readonly object[])
    expect(rules).to.have.length.above(5)
    expect(JSON.stringify(rules)).to.not.include('*')
  })

  it('runs as a user without any privilege, from folders that the kubelet keeps current', () => {
    const pod = podOf()
    const { securityContext, volumeMounts } = pod.containers[0]
    expect(pod.securityContext).to.deep.equal({
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(JSON.stringify(volumeMounts)).to.not.include('subPath')
    expect(volumeMounts.every((mount) => 'readOnly' in mount && mount.readOnly === true)).to.equal(true)
    const configMaps = read('config.yaml').map(({ metadata }) => metadata.name)
    expect(pod.volumes.map(({ configMap }) => configMap.name)).to.have.members(configMaps)
  })

  it('starts the operator with flags that exist, and probes the ports that the flags name', () => {
    const { args, ports, ...probes } = podOf().containers[0]
    const [command, ...given] = args
    expect(command).to.equal('run')
    const known = new Map(
      Object.values(RUN_SETTINGS).map((setting) => [setting.flags.replace(/ .*/, ''), setting.kind]),
    )
    for (const argument of given) {
      const [flag = '', value = 'true'] = argument.split('=')
      expect(known.get(flag)?.parse(value), argument).to.not.equal(undefined)
    }
    for (const { name, containerPort } of ports) {
      const flag = { metrics: '--metrics-bind-address', probes: '--health-probe-bind-address' }[name]
      expect(given).to.include(`${flag}=:${containerPort}`)
    }
    const asked = (['livenessProbe', 'readinessProbe', 'startupProbe'] as const).map((name) => probes[name]?.httpGet)
    expect(asked.map((get) => `${get?.port}${get?.path}`)).to.deep.equal([
      'probes/livez',
      'probes/readyz',
      'probes/livez',
    ])
  })

  it('gives the operator the name of its Pod: its identity as leader, and the object of its events', () => {
    const { env } = podOf().containers[0] as unknown as { env: readonly { name: string; valueFrom?: object }[] }
    const ofPod = env.filter(({ valueFrom }) => valueFrom !== undefined)
    expect(ofPod.map(({ name, valueFrom }) => [name, valueFrom])).to.deep.equal([
      ['POD_NAMESPACE', { fieldRef: { fieldPath: 'metadata.namespace' } }],
      ['POD_NAME', { fieldRef: { fieldPath: 'metadata.name' } }],
      ['POD_UID', { fieldRef: { fieldPath: 'metadata.uid' } }],
    ])
  })

  it('lets work under way end before the Pod is killed', () => {
    const grace = RUN_SETTINGS.gracePeriod.kind.parse(RUN_SETTINGS.gracePeriod.default) ?? Number.NaN
    expect(podOf().terminationGracePeriodSeconds * 1000).to.be.above(grace)
  })

  it('keeps what only some clusters have in a component of its own', () => {
    const component = parse(readFileSync('deploy/components/monitoring/kustomization.yaml', 'utf8')) as object
    expect(component).to.deep.include({ kind: 'Component', resources: ['service-monitor.yaml'] })
    expect(read('components/monitoring/service-monitor.yaml').map(({ kind }) => kind)).to.deep.equal([
      'ServiceMonitor',
      'ClusterRole',
    ])
  })
})

describe('the stock image', () => {
  const text = readFileSync('deploy/Dockerfile', 'utf8')
  const stages = text.split(/^FROM /m).slice(1)

  it('is built in one stage and runs in another, which has no shell and no root', () => {
    expect(stages).to.have.length(2)
    const last = stages[1] ?? ''
    expect(last).to.match(/^\$\{BASE\}\n/)
    expect(text).to.match(/^ARG BASE=gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot$/m)
    expect(last).to.match(/^USER 65532:65532$/m)
    expect(last).to.not.match(/^RUN /m)
  })

  it('runs no program of a dependency while it is built, and holds the list of what is in it', () => {
    expect(text).to.include('RUN npm ci --ignore-scripts\n')
    expect(text).to.include('npm run --silent sbom > dist/sbom.cdx.json')
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
    expect(scripts.sbom).to.equal('node bin/sbom.ts')
  })

  it('has everything that its build copies', () => {
    const ignored = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').split('\n')
    const copied = [...(stages[0] ?? '').matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    expect(copied).to.include.members(['package.json', 'package-lock.json', 'src', 'bin'])
    for (const path of copied) {
      expect(readdirSync('.'), path).to.include(path)
      expect(ignored).to.not.include(path)
    }
  })
})
