import { expect } from 'chai'
import { parse } from 'yaml'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { GeneratedFile } from '../../../src/rolebook/generate/generated-file.ts'
import type { InstallSettings } from '../../../src/rolebook/generate/install-settings.ts'
import { descriptorsOf } from '../../../src/rolebook/generate/olm/descriptors.ts'
import { generatedBundle, manifestsOf } from '../../support/generated-bundle.ts'
import { CRD, ProjectFolder, SAMPLE } from '../../support/project-folder.ts'

interface Csv {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> }
  readonly spec: {
    readonly version: string
    readonly description: string
    readonly keywords: readonly string[]
    readonly customresourcedefinitions: { readonly owned: readonly Owned[] }
    readonly install: { readonly spec: InstallSpec }
    readonly installModes: readonly { readonly type: string; readonly supported: boolean }[]
    readonly relatedImages: readonly { readonly name: string; readonly image: string }[]
    readonly provider: { readonly name: string }
  }
}

interface Owned {
  readonly name: string
  readonly version: string
  readonly kind: string
  readonly description: string
  readonly resources: readonly { readonly kind: string; readonly version: string }[]
  readonly specDescriptors: readonly { readonly path: string }[]
  readonly statusDescriptors: readonly { readonly path: string }[]
}

interface InstallSpec {
  readonly deployments: readonly { readonly name: string; readonly spec: PodOwner }[]
  readonly permissions: readonly Permissions[]
  readonly clusterPermissions: readonly Permissions[]
}

interface PodOwner {
  readonly template: {
    readonly spec: {
      readonly serviceAccountName: string
      readonly containers: readonly { readonly resources: { readonly requests: object } }[]
    }
  }
}

interface Permissions {
  readonly serviceAccountName: string
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[]
}

const OWN_IMAGE = 'registry.example.com/webs:1.2.3'

const csvOf = (files: readonly GeneratedFile[]): Csv =>
  manifestsOf(files).find(({ kind }) => kind === 'ClusterServiceVersion') as unknown as Csv

describe('an OLM bundle', () => {
  let files: readonly GeneratedFile[]
  let manifests: readonly KubeObject[]
  let csv: Csv

  before(async () => {
    files = await generatedBundle()
    manifests = manifestsOf(files)
    csv = csvOf(files)
  })

  it('has each object in a file of its own, in no namespace, and nothing in folders', () => {
    const paths = files.map(({ path }) => path).filter((path) => path.startsWith('manifests/'))
    expect(paths).to.have.length(manifests.length)
    for (const path of paths) expect(path.split('/')).to.have.length(2)
    expect(manifests.filter(({ metadata }) => metadata.namespace !== undefined)).to.deep.equal([])
  })

  it('says in its metadata and in its image where it is and on which channel', () => {
    const text = (path: string): string => files.find((file) => file.path === path)?.text ?? ''
    const { annotations } = parse(text('metadata/annotations.yaml')) as { annotations: Record<string, string> }
    expect(annotations).to.deep.include({
      'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
      'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
      'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
      'operators.operatorframework.io.bundle.package.v1': 'webs',
      'operators.operatorframework.io.bundle.channels.v1': 'stable',
      'operators.operatorframework.io.bundle.channel.default.v1': 'stable',
    })
    const dockerfile = text('bundle.Dockerfile')
    expect(dockerfile).to.match(/^FROM scratch$/m)
    for (const [key, value] of Object.entries(annotations)) expect(dockerfile).to.include(`LABEL ${key}=${value}\n`)
  })

  it('is named by its version', () => {
    expect(csv.metadata.name).to.equal('webs.v1.2.3')
    expect(csv.spec).to.deep.include({ version: '1.2.3', provider: { name: 'Example' } })
  })

  it('owns every CRD that it holds, and no other', () => {
    const crds = manifests
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ metadata }) => metadata.name)
    const { owned } = csv.spec.customresourcedefinitions
    expect(crds).to.have.length(6)
    expect(owned.map(({ name }) => name)).to.have.members(crds)
    for (const { description } of owned) expect(description).to.match(/^Looked after by the role [-a-z]+\.$/)
  })

  it('says what a kind makes, and shows the fields of its schema', () => {
    const page = csv.spec.customresourcedefinitions.owned.find(({ kind }) => kind === 'MaintPage')
    expect(page?.resources.map(({ kind, version }) => `${version} ${kind}`)).to.deep.equal([
      'v1 Pod',
      'apps/v1 Deployment',
      'v1 Service',
    ])
    expect(page?.specDescriptors.map(({ path }) => path)).to.deep.equal([
      'maintpageconfig.maintpagetoggle',
      'maintpageconfig.maintpageimage',
      'appconfig.appname',
      'appconfig.appimage',
    ])
    expect(page?.statusDescriptors.map(({ path }) => path)).to.include.members(['conditions', 'maintpublishstatus'])
  })

  it('has an example of each kind that it owns, and of no other', () => {
    const examples = JSON.parse(csv.metadata.annotations['alm-examples'] ?? '') as KubeObject[]
    const types = csv.spec.customresourcedefinitions.owned.map(({ name, version, kind }) => {
      return `${name.slice(name.indexOf('.') + 1)}/${version} ${kind}`
    })
    expect(examples.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).to.have.members(types)
  })

  it('installs the Deployment with the rights that are computed, for an account that it does not hold itself', () => {
    const { deployments, permissions, clusterPermissions } = csv.spec.install.spec
    const [deployment] = deployments
    expect(deployment?.name).to.equal('webs')
    expect(deployment?.spec.template.spec.serviceAccountName).to.equal('webs')
    for (const { resources } of deployment?.spec.template.spec.containers ?? []) {
      expect(resources.requests).to.have.keys('cpu', 'memory')
    }
    for (const one of [...permissions, ...clusterPermissions]) expect(one.serviceAccountName).to.equal('webs')
    const resources = (some: readonly Permissions[]) =>
      some.flatMap(({ rules }) => rules.flatMap((rule) => rule.resources))
    expect(resources(permissions)).to.include('leases').and.not.include('pods')
    expect(resources(clusterPermissions)).to.include.members(['pods', 'memcacheds/status', 'tokenreviews'])
    expect(JSON.stringify([permissions, clusterPermissions])).to.not.include('*')
    expect(manifests.map(({ kind }) => kind)).to.not.include('ServiceAccount')
  })

  it('supports the one install mode that its rights are for', () => {
    expect(csv.spec.installModes.filter(({ supported }) => supported).map(({ type }) => type)).to.deep.equal([
      'AllNamespaces',
    ])
    expect(new Set(csv.spec.installModes.map(({ type }) => type)).size).to.equal(4)
  })

  it('names the images that it takes: its own and those of its roles', () => {
    expect(csv.spec.relatedImages).to.deep.equal([
      { name: 'registry-example-com-webs', image: 'registry.example.com/webs:1.2.3' },
      { name: 'memcached', image: 'memcached:1.4.36-alpine' },
    ])
  })

  const DIGEST = `@sha256:${'0a'.repeat(32)}`
  const IMAGES: readonly { readonly name: string; readonly images: readonly string[]; readonly listed: object }[] = [
    {
      name: 'by tag, by digest, by both and by none',
      images: ['a', 'b:1', `c${DIGEST}`, `docker.io/library/nginx:1.29${DIGEST}`, 'd.e:5000/f:1_x'],
      listed: {
        a: 'a',
        b: 'b:1',
        c: `c${DIGEST}`,
        'd-e-5000-f': 'd.e:5000/f:1_x',
        'docker-io-library-nginx': `docker.io/library/nginx:1.29${DIGEST}`,
      },
    },
    {
      name: 'with a name each where they differ in what the name leaves out',
      images: ['nginx:1.28', 'nginx:1.29', `nginx:1.29${DIGEST}`, 'nginx-2:1'],
      listed: {
        'nginx-2': 'nginx-2:1',
        nginx: 'nginx:1.28',
        'nginx-3': 'nginx:1.29',
        'nginx-4': `nginx:1.29${DIGEST}`,
      },
    },
    { name: 'once when a role takes that of the operator', images: [OWN_IMAGE], listed: {} },
    { name: 'unless it is none', images: ['', 'a b', 'a@sha256:1', `a${DIGEST}:1`, 'A', '${spec.image}'], listed: {} },
  ]
  for (const { name, images, listed } of IMAGES) {
    it(`names the images of its roles ${name}`, async () => {
      const role = `tasks: [{status: {all: ${JSON.stringify(images.map((image) => ({ image })))}}}]\n`
      const found = csvOf(await bundleOf({ role })).spec.relatedImages.map((one) => [one.name, one.image])
      expect(found).to.deep.equal([['registry-example-com-webs', OWN_IMAGE], ...Object.entries(listed)])
    })
  }

  it('says what it looks after, also where that is a kind of others', async () => {
    const watches = '- {group: apps, version: v1, kind: ReplicaSet, role: web, selector: {matchLabels: {a: b}}}\n'
    const { metadata, spec } = csvOf(await bundleOf({ role: 'tasks: [{set: {a: 1}}]\n', watches }))
    expect(metadata.annotations.description).to.equal('Looks after Web, Replica Set.')
    expect(spec.description).to.match(
      /: Looked after by the role web\.\n- \*\*ReplicaSet\*\* \(v1\): Looked after by the role web\.\n$/,
    )
    expect(spec.keywords).to.deep.equal(['web', 'replicaset'])
    expect(spec.customresourcedefinitions.owned.map(({ kind }) => kind)).to.deep.equal(['Web'])
  })

  const REFUSED = [
    { name: 'listed namespaces', watch: ', namespaces: [a]' },
    { name: 'a literal namespace', watch: ', allowedNamespaces: ["*"]', metadata: ', namespace: a' },
  ] as const
  for (const { name, watch, ...more } of REFUSED) {
    it(`is refused with ${name}: its rights cannot be in one namespace alone`, async () => {
      const metadata = 'metadata' in more ? more.metadata : ''
      const role = `tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a${metadata}}}}]\n`
      const error = await bundleOf({ role, watch }).catch((reason: Error) => reason)
      expect(error).to.have.property('code', 'NoBundle')
      expect((error as Error).message).to.include('a bundle cannot give rights in namespace "a" alone')
    })
  }

  const EVENTS = [
    {
      name: 'everywhere: they stand in default, where OLM gives no right alone',
      namespace: 'webs-system',
      place: 'clusterPermissions',
    },
    { name: 'where the operator is, if that is default', namespace: 'default', place: 'permissions' },
  ] as const
  for (const { name, namespace, place } of EVENTS) {
    it(`may create events on kinds that are in no namespace ${name}`, async () => {
      const role = 'tasks: [{status: {a: 1}}]\n'
      const crd = CRD.replace('scope: Namespaced', 'scope: Cluster')
      const { install } = csvOf(await bundleOf({ role, crd, settings: { namespace } })).spec
      const rules = install.spec[place].flatMap((one) => one.rules)
      expect(rules).to.deep.include({ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] })
      const all = [...install.spec.clusterPermissions, ...install.spec.permissions].flatMap((one) => one.rules)
      expect(all.filter(({ resources }) => resources.includes('events'))).to.have.length(1)
    })
  }

  it('describes a kind as its schema does, and leaves out versions that are not served and samples of other kinds', async () => {
    const old = '    - {name: v0, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}\n'
    const crd = `${CRD.replace('type: object\n          properties', 'type: object\n          description: A site.\n          properties')}${old}`
    const sample = `${SAMPLE}---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\n`
    const role = 'tasks: [{status: {image: nginx:1, sidecarImage: "${spec.image}", deep: [{image: "a b"}]}}]\n'
    const made = csvOf(await bundleOf({ role, crd, sample }))
    const { owned } = made.spec.customresourcedefinitions
    expect(owned.map(({ version, description }) => ({ version, description }))).to.deep.equal([
      { version: 'v1', description: 'A site.' },
    ])
    const examples = JSON.parse(made.metadata.annotations['alm-examples'] ?? '') as KubeObject[]
    expect(examples.map(({ kind }) => kind)).to.deep.equal(['Web'])
    expect(made.spec.relatedImages.map(({ image }) => image)).to.deep.equal([
      'registry.example.com/webs:1.2.3',
      'nginx:1',
    ])
  })
})

describe('descriptors', () => {
  const UI = 'urn:alm:descriptor:com.tectonic.ui'
  const CASES: readonly {
    readonly name: string
    readonly schema: JsonObject
    readonly shown: readonly JsonObject[]
  }[] = [
    {
      name: 'a number, with what its schema says of it',
      schema: { replicaCount: { type: 'integer', description: 'How many.' } },
      shown: [
        {
          path: 'replicaCount',
          displayName: 'Replica Count',
          description: 'How many.',
          'x-descriptors': [`${UI}:number`],
        },
      ],
    },
    {
      name: 'a choice',
      schema: { mode: { type: 'string', enum: ['a', 'b'] } },
      shown: [{ path: 'mode', displayName: 'Mode', 'x-descriptors': [`${UI}:select:a`, `${UI}:select:b`] }],
    },
    {
      name: 'fields of objects within each other, to a depth',
      schema: {
        a: { properties: { b: { properties: { c: { type: 'object', properties: { d: { type: 'string' } } } } } } },
      },
      shown: [{ path: 'a.b.c', displayName: 'A: B: C' }],
    },
    {
      name: 'resources of a container',
      schema: { resources: { type: 'object' } },
      shown: [{ path: 'resources', displayName: 'Resources', 'x-descriptors': [`${UI}:resourceRequirements`] }],
    },
    {
      name: 'conditions',
      schema: { conditions: { type: 'array' } },
      shown: [
        {
          path: 'conditions',
          displayName: 'Conditions',
          'x-descriptors': ['urn:alm:descriptor:io.kubernetes.conditions'],
        },
      ],
    },
    {
      name: 'a list, for which there is no word',
      schema: { list: { type: 'array' } },
      shown: [{ path: 'list', displayName: 'List' }],
    },
    { name: 'nothing of what is no schema', schema: { odd: true }, shown: [] },
  ]
  for (const { name, schema, shown } of CASES) {
    it(`show ${name}`, () => expect(descriptorsOf({ properties: schema })).to.deep.equal(shown))
  }

  it('show nothing where there are no fields', () => {
    expect([descriptorsOf(undefined), descriptorsOf({ type: 'object' })]).to.deep.equal([[], []])
  })
})

async function bundleOf(given: {
  readonly role: string
  readonly watch?: string
  /** Entries besides that of the kind Web. */
  readonly watches?: string
  readonly crd?: string
  readonly sample?: string
  readonly settings?: Partial<InstallSettings>
}): Promise<readonly GeneratedFile[]> {
  const { role, watch = '', watches = '', crd = CRD, sample = SAMPLE, settings } = given
  const folder = await ProjectFolder.create({
    'watches.yaml': `- {group: example.com, version: v1, kind: Web, role: web${watch}}\n${watches}`,
    'roles/web/role.yaml': role,
    'roles/web/crd.yaml': crd,
    'roles/web/samples/web.yaml': sample,
    'roles/web/files/motd.txt': 'image: no-image:1\n',
    'roles/unused/role.yaml': 'tasks: [{status: {image: unused:1}}]\n',
  })
  try {
    const { watchesFile, rolesPath } = folder.options
    return await generatedBundle({ watchesFile, rolesPath }, settings)
  } finally {
    await folder.delete()
  }
}
