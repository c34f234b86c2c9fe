import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { cleanObject } from '../../../../src/rolebook/scaffold/manifests/clean-object.ts'
import { nameRules } from '../../../../src/rolebook/scaffold/manifests/name-rules.ts'
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
      'Deployment web: apps/v1 in place of extensions/v1beta1, which servers no longer serve',
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

  it('finds what each container asks for, and the images of the others', () => {
    const resources = '{limits: {memory: 1Gi}, requests: {cpu: 100m}}'
    const { sample, spec } = roleOf(`apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - {name: web, image: "nginx:1", resources: ${resources}, ports: [{name: http}]}
    - {name: log-shipper, image: "vector:1", resources: {claims: [{name: gpu}]}}
    - {name: 2nd, image: "proxy:1", resources: {}}
`)
    expect(sample.spec).to.deep.equal({
      image: 'nginx:1',
      resources: { limits: { memory: '1Gi' }, requests: { cpu: '100m' } },
      logShipperImage: 'vector:1',
      part2ndImage: 'proxy:1',
    })
    expect(spec.properties.logShipperImage.description).to.equal('The logShipperImage.')
  })

  it('finds the bounds of an autoscaler', () => {
    const { sample } = roleOf(`apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 1, maxReplicas: 5, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`)
    expect(sample.spec).to.deep.equal({ minReplicas: 1, maxReplicas: 5 })
  })

  it('finds the host of an Ingress whose certificate is for all hosts', () => {
    const { sample } = roleOf(`apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web}
spec: {tls: [{secretName: web-tls}], rules: [{host: a.example.com}]}
`)
    expect(sample.spec).to.deep.equal({ host: 'a.example.com' })
  })

  it('names the fields of several workloads after them, or after their kinds', () => {
    const { sample } = roleOf(
      [WORKLOAD('Deployment', 'shop'), WORKLOAD('StatefulSet', 'shop-2'), WORKLOAD('DaemonSet', 'node-agent')].join(
        '---\n',
      ),
    )
    expect(sample.spec).to.deep.equal({
      deployment: { image: 'shop:1', replicas: 2 },
      part2: { image: 'shop-2:1', replicas: 2 },
      nodeAgent: { image: 'node-agent:1' },
    })
  })

  it('leaves names, namespaces and selectors that are those of others', () => {
    const { objects, entry } = roleOf(`${WORKLOAD('Deployment', 'web')}---
apiVersion: example.com/v1
kind: Route
metadata: {name: web-route, namespace: edge}
spec: {canary: {selector: {app: web}}, from: {name: web, namespace: shop}}
`)
    expect(objects[1]).to.deep.equal({
      apiVersion: 'example.com/v1',
      kind: 'Route',
      metadata: { name: '${metadata.name}-route', namespace: 'edge' },
      spec: {
        canary: { selector: { app: '${metadata.name}' } },
        from: { name: '${metadata.name}', namespace: '${metadata.namespace}' },
      },
    })
    expect(entry).to.deep.equal({ allowedNamespaces: ['*'] })
  })

  it('gives tasks of one name numbers', () => {
    const settings = (namespace: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web-settings, namespace: ${namespace}}\n`
    const { names } = roleOf([WORKLOAD('Deployment', 'web'), settings('shop'), settings('edge')].join('---\n'))
    expect(names).to.deep.equal(['Deployment', 'ConfigMap settings', 'ConfigMap settings (2)'])
  })

  for (const { name, names, base } of [
    { name: 'the longest of those that as many begin with', names: ['my-shop-a', 'my-shop-b'], base: 'my-shop' },
    { name: 'the only one, if it is short', names: ['x'], base: 'x' },
    { name: 'made up where no object has one', names: [], base: 'example' },
  ]) {
    it(`calls its sample by a name that is ${name}`, () => {
      const objects = names.map((one) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: one } }))
      expect(nameRules(objects).base).to.equal(base)
    })
  }

  it('names the fields of a workload with a generated name after its kind', () => {
    const { sample } = roleOf(`${WORKLOAD('Deployment', 'web')}---
apiVersion: batch/v1
kind: Job
metadata: {generateName: web-}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}
`)
    expect(sample.spec).to.deep.equal({ deployment: { image: 'web:1', replicas: 2 }, job: { image: 'b' } })
  })

  for (const { name, spec, selector } of [
    { name: 'without a spec', spec: '', selector: undefined },
    { name: 'without a template', spec: 'spec: {replicas: 1}', selector: { matchLabels: {} } },
    { name: 'without labels', spec: 'spec: {template: {metadata: {name: a}}}', selector: { matchLabels: {} } },
  ]) {
    it(`has versions that servers have for an object ${name}`, () => {
      const { objects } = roleOf(`apiVersion: apps/v1beta1\nkind: Deployment\nmetadata: {name: web}\n${spec}\n`)
      expect(objects[0].apiVersion).to.equal('apps/v1')
      expect(objects[0].spec.selector).to.deep.equal(selector)
    })
  }
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

  for (const { name, live, cleaned } of [
    {
      name: 'the labels and the selector that a controller gives a Job',
      live: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'web', annotations: { 'deployment.kubernetes.io/revision': '1' } },
        spec: {
          selector: { matchLabels: { 'controller-uid': 'u' } },
          template: { metadata: { labels: { 'batch.kubernetes.io/job-name': 'web', app: 'web' } } },
        },
      },
      cleaned: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'web' },
        spec: { template: { metadata: { labels: { app: 'web' } } } },
      },
    },
    {
      name: 'nothing of a kind that a server fills in nowhere',
      live: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { secrets: 'x' } },
      cleaned: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' }, data: { secrets: 'x' } },
    },
    {
      name: 'nothing of what is not there or is written in another way',
      live: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { clusterIP: 'None', ports: [null, { port: 80, nodePort: 1 }] },
      },
      cleaned: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { clusterIP: 'None', ports: [null, { port: 80 }] },
      },
    },
    {
      name: 'nothing of a Service without ports',
      live: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { type: 'ExternalName', externalName: 'example.com' },
      },
      cleaned: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { type: 'ExternalName', externalName: 'example.com' },
      },
    },
  ]) {
    it(`loses ${name}`, () => expect(cleanObject(live as unknown as KubeObject)).to.deep.equal(cleaned))
  }
})
