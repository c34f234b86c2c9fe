import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { cleanObject } from '../../../../src/rolebook/scaffold/manifests/clean-object.ts'
import { roleFromManifests } from '../../../../src/rolebook/scaffold/manifests/role-from-manifests.ts'

const gvk = { group: 'example.com', version: 'v1', kind: 'Shop' }

function roleOf(text: string) {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubeObject)
  const made = roleFromManifests({
    gvk,
    objects,
    comment: 'A role.',
    isNamespaced: ({ kind }) => !kind.startsWith('Cluster'),
  })
  const tasks = parse(made.files['role.yaml'] ?? '').tasks
  const [, sample] = Object.entries(made.files).find(([path]) => path.startsWith('samples/')) ?? []
  return {
    ...made,
    names: tasks.map(({ name }: { name: string }) => name),
    objects: tasks.map(({ ensure }: { ensure: unknown }) => ensure),
    sample: parse(sample ?? ''),
    spec: parse(made.files['crd.yaml'] ?? '').spec.versions[0].schema.openAPIV3Schema.properties.spec,
  }
}

const WORKLOAD = (kind: string, name: string, more = '') => `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: ${name}, image: "${name}:1", ports: [{containerPort: 80}]}]}
${more}`

describe('a role from manifests', () => {
  it('has names that follow from the name of the resource, and its namespace', () => {
    const { objects, sample } = roleOf(`${WORKLOAD('Deployment', 'web')}---
apiVersion: v1
kind: ConfigMap
metadata: {name: web-settings, namespace: shop}
data: {text: 'web $\{HOME}', name: web-settings}
`)
    expect(sample.metadata).to.deep.equal({ name: 'web', namespace: 'shop' })
    expect(objects[0].metadata).to.deep.equal({ name: '${metadata.name}' })
    expect(objects[0].spec.selector).to.deep.equal({ matchLabels: { app: '${metadata.name}' } })
    expect(objects[0].spec.template.spec.containers[0].name).to.equal('web')
    expect(objects[1]).to.deep.include({
      metadata: { name: '${metadata.name}-settings' },
      data: { text: 'web $${HOME}', name: '${metadata.name}-settings' },
    })
  })

  it('finds images, replicas and the only port', () => {
    const { spec, sample, objects } = roleOf(WORKLOAD('Deployment', 'web'))
    expect(spec.required).to.deep.equal(['image', 'replicas', 'port'])
    expect(sample.spec).to.deep.equal({ image: 'web:1', replicas: 2, port: 80 })
    expect(objects[0].spec.template.spec.containers[0]).to.deep.include({
      image: '${spec.image}',
      ports: [{ containerPort: '${spec.port}' }],
    })
  })

  it('gives each of several workloads fields of its own', () => {
    const { sample } = roleOf(`${WORKLOAD('Deployment', 'shop-web')}---\n${WORKLOAD('StatefulSet', 'shop-db')}`)
    expect(sample.metadata.name).to.equal('shop')
    expect(sample.spec).to.deep.equal({
      web: { image: 'shop-web:1', replicas: 2 },
      db: { image: 'shop-db:1', replicas: 2 },
    })
  })

  it('finds hosts, each once, storage and schedules', () => {
    const { sample } = roleOf(`apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {tls: [{hosts: [a.example.com]}], rules: [{host: a.example.com}, {host: b.example.com}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: web-data}
spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: web-backup}
spec: {schedule: "0 3 * * *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: "busybox:1"}]}}}}}
`)
    expect(sample.spec).to.deep.equal({
      host: 'a.example.com',
      host2: 'b.example.com',
      storage: '1Gi',
      storageClass: 'fast',
      image: 'busybox:1',
      schedule: '0 3 * * *',
    })
  })

  it('has versions that servers have, where they say the same', () => {
    const { objects, notes } = roleOf(`apiVersion: extensions/v1beta1
kind: Deployment
metadata: {name: web}
spec: {template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: b}]}}}
`)
    expect(objects[0]).to.deep.include({ apiVersion: 'apps/v1' })
    expect(objects[0].spec.selector).to.deep.equal({ matchLabels: { app: '${metadata.name}' } })
    expect(notes).to.deep.equal([
      'Deployment web: apps/v1 in place of extensions/v1beta1, which no server has any more',
    ])
  })

  it('says what its entry needs, and which names are fixed', () => {
    const { entry, notes } = roleOf(`${WORKLOAD('Deployment', 'web')}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: []
`)
    expect(entry).to.deep.equal({ allowedNamespaces: ['*'], acknowledge: ['ClusterRole.rbac.authorization.k8s.io'] })
    expect(notes).to.deep.equal([
      'ClusterRole reader: the name does not follow from that of the resource, so there can be one resource',
    ])
  })
})

describe('a live object', () => {
  it('loses what the server has set, and keeps what a person wrote', () => {
    const live = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'web',
        uid: 'u',
        resourceVersion: '1',
        creationTimestamp: '2026-01-01T00:00:00Z',
        managedFields: [],
        labels: { a: 'b' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', mine: 'x' },
      },
      spec: {
        clusterIP: '10.0.0.1',
        clusterIPs: ['10.0.0.1'],
        ipFamilies: ['IPv4'],
        ports: [{ port: 80, nodePort: 30_000 }],
      },
      status: { loadBalancer: {} },
    } as unknown as KubeObject
    expect(cleanObject(live)).to.deep.equal({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', labels: { a: 'b' }, annotations: { mine: 'x' } },
      spec: { ports: [{ port: 80 }] },
    })
  })
})
