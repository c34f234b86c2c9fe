import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { type ProjectFolder, TWO_VERSIONS, TWO_VERSIONS_CRD, WATCHES } from '../../support/project-folder.ts'
import { CRD, generateFrom, kindsIn, objectsIn, PRINTED, projectToGenerateFrom, ROLE } from './generate-project.ts'

const GADGET = 'tasks: [{ensure: {apiVersion: x.org/v1, kind: Gadget, metadata: {name: "${metadata.name}"}}}]\n'
const GADGET_CRD = CRD.replaceAll('example.com', 'x.org').replaceAll('Web', 'Gadget').replaceAll('webs', 'gadgets')
const LONGEST = 'a'.repeat(55)
const NO_NAME = /'--name <name>' .* Expected at most 55 lower-case letters, digits and dashes, with a letter in front/

describe('rolebook generate', () => {
  let folder: ProjectFolder
  const run = (...args: readonly string[]) => generateFrom(folder, args)

  beforeEach(async () => {
    folder = await projectToGenerateFrom()
  })
  afterEach(() => folder.delete())

  it('finds current what it has written, when one follows the page on deploying', async () => {
    const page = readFileSync('docs/deploying.md', 'utf8')
    const lines = [...page.matchAll(/^rolebook generate (deploy .*)$/gm)].map(([, line = '']) => line)
    const codes: number[] = []
    for (const line of lines) {
      codes.push((await run(...line.replace('--output deploy', `--output ${folder.path('deploy')}`).split(' '))).code)
    }
    expect(codes).to.deep.equal([0, 0, 0])
  })

  for (const [what, expected] of Object.entries(PRINTED)) {
    it(`${what} prints objects for kubectl`, async () => {
      const { code, out, err } = await run(what)
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(kindsIn(out)).to.deep.equal(expected)
    })
  }

  it('uses the given name, namespace and image everywhere', async () => {
    const { out } = await run(
      'deploy',
      '--name',
      'webs',
      '--namespace',
      'there',
      '--image',
      'registry.example.com/webs:2',
    )
    const objects = objectsIn(out)
    const names = objects.filter(({ kind }) => kind !== 'CustomResourceDefinition').map(({ metadata }) => metadata)
    for (const { name, namespace = name } of names) {
      expect(namespace).to.be.oneOf(['there', 'there:webs'])
      expect(name).to.match(/^webs|^there(:webs)?$/)
    }
    expect(out).to.include('image: registry.example.com/webs:2\n').and.to.include('--leader-election-id=webs\n')
    expect(out).to.not.match(/rolebook-(?!ledger)/)
  })

  it('sets the given numbers of replicas and shards', async () => {
    const { out } = await run('deploy', '--replicas', '4', '--shards', '8')
    expect(out).to.include('replicas: 4\n').and.to.include('--shards=8\n')
  })

  const NEIGHBOURS = [
    { where: 'in another namespace', first: ['rolebook', 'ops-a'], second: ['rolebook', 'ops-b'] },
    { where: 'whose namespace and name read the same in a row', first: ['b-c', 'a'], second: ['c', 'a-b'] },
    { where: 'of another name', first: ['one', 'ops'], second: ['two', 'ops'] },
    { where: 'that is called as a part of it', first: ['one', 'ops'], second: ['one-metrics-reader', 'ops'] },
  ] as const
  for (const { where, first, second } of NEIGHBOURS) {
    it(`takes nothing from an installation ${where}, also in namespaces that both watch`, async () => {
      const made = async ([name, namespace]: readonly [string, string]): Promise<string[]> => {
        const output = folder.path(name)
        await run('deploy', '--name', name, '--namespace', namespace, '--watch-namespaces', 'team', '--output', output)
        return ['rbac.yaml', 'components/monitoring/service-monitor.yaml']
          .flatMap((file) => objectsIn(readFileSync(join(output, file), 'utf8')))
          .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? '-'}/${metadata.name}`)
      }
      const [ofFirst, ofSecond] = [await made(first), await made(second)]
      expect(ofFirst).to.have.length(9)
      expect(ofFirst.filter((object) => ofSecond.includes(object))).to.deep.equal([])
    })
  }

  it('gives rights in the watched namespaces alone, and has these watched', async () => {
    const { out } = await run('deploy', '--watch-namespaces', 'a,b')
    const roles = objectsIn(out).filter(({ kind }) => kind === 'Role')
    expect(roles.map(({ metadata }) => metadata.namespace)).to.deep.equal(['a', 'b', 'rolebook-system'])
    expect(out).to.include('- --namespace=a,b\n')
  })

  for (const what of ['deploy', 'olm']) {
    it(`${what} gives memory for charts where a role has some: one that takes all it may have must not end the operator`, async () => {
      expect((await run(what)).out)
        .to.include('limits:')
        .and.to.include('memory: 512Mi\n')
      await folder.write('roles/web/charts/a/Chart.yaml', 'apiVersion: v2\nname: a\nversion: 1.0.0\n')
      expect((await run(what)).out)
        .to.include('memory: 3Gi\n')
        .and.to.not.include('memory: 512Mi\n')
      expect((await run(what)).out).to.include('name: MALLOC_MMAP_THRESHOLD_\n')
    })
  }

  it('writes a file for each subject, and the second time those that are not current', async () => {
    const output = folder.path('out')
    const first = await run('deploy', '--output', output)
    const wrote = first.out.split('\n').filter(Boolean)
    expect(wrote.map((line) => line.replace('wrote out/', ''))).to.deep.equal([
      ...['namespace.yaml', 'crds.yaml', 'rbac.yaml', 'config.yaml', 'deployment.yaml', 'service.yaml'],
      ...['network-policy.yaml', 'pod-disruption-budget.yaml', 'kustomization.yaml'],
      ...['components/monitoring/kustomization.yaml', 'components/monitoring/service-monitor.yaml'],
    ])
    // As people wrote it.
    expect(readFileSync(join(output, 'crds.yaml'), 'utf8')).to.equal(`# Ours.\n${CRD}`)
    await folder.write('roles/web/role.yaml', 'tasks: [{status: {a: 1}}]\n')
    const second = await run('deploy', '--output', output)
    expect(second.out).to.equal('wrote out/rbac.yaml\nwrote out/config.yaml\n')
  })

  it('has the CRD of a kind once that two roles have beside them, for its versions', async () => {
    await folder.write('watches.yaml', TWO_VERSIONS)
    await folder.write('roles/old/role.yaml', ROLE)
    await folder.write('roles/new/role.yaml', ROLE)
    await folder.write('roles/new/crd.yaml', TWO_VERSIONS_CRD)
    await folder.write('roles/old/crd.yaml', `${TWO_VERSIONS_CRD}---\n${GADGET_CRD}`)
    const crdsIn = (text: string) =>
      objectsIn(text).flatMap(({ kind, metadata }) => (kind === 'CustomResourceDefinition' ? [metadata.name] : []))
    const names = ['webs.example.com', 'gadgets.x.org']
    for (const what of ['deploy', 'olm', 'crd']) expect(crdsIn((await run(what)).out), what).to.have.members(names)
    await run('deploy', '--output', folder.path('out'))
    expect(crdsIn(readFileSync(folder.path('out/crds.yaml'), 'utf8'))).to.deep.equal(names)
  })

  it('says what people have to grant, since only a run knows it: beside the rights, and in their file', async () => {
    const tasks =
      'tasks: [{ensure: {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: a}, rules: "${spec.rules}"}}]\n'
    await folder.write('roles/web/role.yaml', tasks)
    await folder.write(
      'roles/web/crd.yaml',
      CRD.replace('spec: {type: object', 'spec: {type: object, x-kubernetes-preserve-unknown-fields: true'),
    )
    await folder.write(
      'watches.yaml',
      WATCHES.replace('role: web', 'role: web, acknowledge: [Role.rbac.authorization.k8s.io]'),
    )
    const warning =
      'What a Role of the role "web" grants is known to a run alone: add those rights, or `escalate` for them'
    for (const what of ['rbac', 'deploy', 'olm']) expect((await run(what)).err, what).to.equal(`${warning}\n`)
    expect((await run('crd')).err).to.equal('')
    await run('rbac', '--output', folder.path('out'))
    expect(readFileSync(folder.path('out/rbac.yaml'), 'utf8')).to.include(`\n# ${warning}.\n`)
  })

  it('says with --check what is not current, and writes nothing', async () => {
    const output = folder.path('out')
    await run('rbac', '--output', output)
    expect(await run('rbac', '--output', output, '--check')).to.deep.equal({ code: 0, out: '', err: '' })
    const old = readFileSync(join(output, 'rbac.yaml'), 'utf8')
    await folder.write('roles/web/role.yaml', 'tasks: [{status: {a: 1}}]\n')
    const checked = await run('rbac', '--output', output, '--check')
    expect(checked).to.deep.equal({ code: 3, out: 'out/rbac.yaml is not current\n', err: '' })
    expect(readFileSync(join(output, 'rbac.yaml'), 'utf8')).to.equal(old)
  })

  it('helm writes a chart, in which Helm says the namespace and what roles hold stays as it is', async () => {
    await folder.write('roles/web/role.yaml', `# {{ .Values.x }}\n${ROLE}`)
    const output = folder.path('chart')
    const { err } = await run(
      'helm',
      '--output',
      output,
      '--bundle-version',
      '1.2.3-rc.1',
      '--image',
      'example.com/a:1',
    )
    expect(err).to.equal('')
    const read = (path: string): string => readFileSync(join(output, path), 'utf8')
    expect(read('Chart.yaml')).to.include('\nname: rolebook\n').and.to.include('\nversion: 1.2.3-rc.1\n')
    expect(read('values.yaml')).to.include('\nimage: example.com/a:1\nreplicas: 2\nresources:\n  requests:\n')
    expect(read('crds/crds.yaml')).to.include('kind: CustomResourceDefinition\n')
    expect(read('templates/namespace.yaml')).to.match(/^\{\{- if \.Values\.namespace\.create \}\}\n/)
    expect(read('templates/deployment.yaml')).to.include('  namespace: {{ .Release.Namespace }}\n')
    expect(read('templates/config.yaml')).to.include('{{ "{{" }} .Values.x }}')
    expect((await run('helm', '--output', output, '--check')).code).to.equal(3)
  })

  it('olm writes a bundle of a version, on a channel', async () => {
    const output = folder.path('bundle')
    await run('olm', '--output', output, '--bundle-version', '1.2.3-rc.1', '--channel', 'fast', '--provider', 'Example')
    const csv = readFileSync(join(output, 'manifests/rolebook.clusterserviceversion.yaml'), 'utf8')
    expect(csv).to.include('name: rolebook.v1.2.3-rc.1\n').and.to.include('provider:\n    name: Example\n')
    expect(readFileSync(join(output, 'metadata/annotations.yaml'), 'utf8')).to.include('channels.v1: fast\n')
  })

  it('olm leaves no manifest of a former bundle in the folder, which would be part of the image', async () => {
    const output = folder.path('bundle')
    await run('olm', '--output', output)
    await folder.write('bundle/manifests/ours.yaml', '# Ours.\n')
    await folder.write('bundle/manifests/folder/a.yaml', '')
    const builtIn = ['olm', '--output', output, '--built-in', '--image', 'my-operator:1']
    const former = ['rolebook-roles', 'rolebook-watches'].map((name) => `bundle/manifests/${name}.configmap.yaml`)
    const checked = await run(...builtIn, '--check')
    expect(checked.code).to.equal(3)
    for (const path of former) expect(checked.out).to.include(`${path} is not current\n`)
    expect((await run(...builtIn)).out).to.match(
      new RegExp(`^wrote .*\\n${former.map((path) => `removed ${path}\\n`).join('')}$`),
    )
    expect(await run(...builtIn, '--check')).to.deep.equal({ code: 0, out: '', err: '' })
    expect(readFileSync(folder.path('bundle/manifests/ours.yaml'), 'utf8')).to.equal('# Ours.\n')
  })

  it('takes the names of kinds from a folder of CRDs', async () => {
    await folder.write('roles/web/role.yaml', GADGET)
    const without = await run('rbac')
    expect(without).to.deep.include({ code: 2, out: '' })
    expect(without.err).to.match(
      /nothing is known of x\.org\/v1 Gadget: put the CRD into the folder of the role \(rolebook generate crd makes a draft\), or give --schemas/,
    )
    await folder.write('more/gadget.yaml', GADGET_CRD)
    const { code, out } = await run('rbac', '--schemas', folder.path('more'))
    expect(code).to.equal(0)
    expect(out).to.include('      - gadgets\n')
  })

  it('makes nothing that a server refuses of the longest name that it takes', async () => {
    const { code, out } = await run('deploy', '--name', LONGEST)
    expect(code).to.equal(0)
    const cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, tls: false })
    try {
      const made: string[] = []
      for (const object of objectsIn(out)) made.push((await cluster.apply(object)).kind)
      expect(made).to.deep.equal(PRINTED.deploy)
    } finally {
      await cluster.stop()
    }
  })

  it('makes a bundle whose name fits into a label, which OLM makes of it', async () => {
    const { code, out } = await run('olm', '--name', LONGEST, '--bundle-version', '1.2.34')
    expect({ code, length: objectsIn(out)[0]?.metadata.name?.length }).to.deep.equal({ code: 0, length: 63 })
  })

  const REFUSED: readonly { readonly name: string; readonly args: readonly string[]; readonly err: RegExp }[] = [
    {
      name: 'what it does not know',
      args: ['everything'],
      err: /cannot generate "everything": choose one of deploy, rbac, /,
    },
    { name: '--check without a folder', args: ['rbac', '--check'], err: /--check: which folder\? give --output, too/ },
    {
      name: '--built-in without the image that has the roles',
      args: ['deploy', '--built-in'],
      err: /--built-in: which image has the roles built in\? give --image, too/,
    },
    {
      name: 'a version that is none',
      args: ['olm', '--bundle-version', '1.2'],
      err: /Expected a version such as 1\.2\.3/,
    },
    { name: 'a chart without a folder', args: ['helm'], err: /a chart is a folder: which one\? give --output/ },
    { name: 'a name that is none', args: ['rbac', '--name', 'A B'], err: NO_NAME },
    {
      name: 'a name with a dot, which a Service may not have',
      args: ['deploy', '--name', 'my.operator'],
      err: NO_NAME,
    },
    { name: 'a name that begins with a digit', args: ['deploy', '--name', '1st'], err: NO_NAME },
    { name: 'a name that ends with a dash', args: ['deploy', '--name', 'web-'], err: NO_NAME },
    { name: 'a name too long for a Service', args: ['deploy', '--name', `${LONGEST}a`], err: NO_NAME },
    {
      name: 'a name that is too long for a bundle with its version',
      args: ['olm', '--name', LONGEST, '--bundle-version', '1.2.345'],
      err: /a bundle cannot be called "a+\.v1\.2\.345": .* 63 characters, and it has 64; give a shorter --name or --bundle-version/,
    },
    { name: 'no image', args: ['deploy', '--image', ''], err: /'--image <image>' .* Expected the name of an image/ },
    { name: 'an image with a blank', args: ['deploy', '--image', 'a b'], err: /Expected the name of an image/ },
    {
      name: 'a folder that is a file',
      args: ['rbac', '--output', 'package.json'],
      err: /cannot write to package\.json: /,
    },
  ]
  for (const { name, args, err } of REFUSED) {
    it(`refuses ${name}`, async () => {
      const refused = await run(...args)
      expect(refused).to.deep.include({ code: 2, out: '' })
      expect(refused.err).to.match(err)
    })
  }

  it('refuses roles that do not fit into a ConfigMap', async () => {
    await folder.write('roles/web/files/large.txt', 'x'.repeat(1024 * 1024))
    const refused = await run('configmap')
    expect(refused).to.deep.include({ code: 2, out: '' })
    expect(refused.err).to.match(/^rolebook generate: the ConfigMap rolebook-roles would have \d+ KiB/)
  })

  it('says what is wrong with the project', async () => {
    await folder.write('roles/web/role.yaml', 'tasks: [{status: {a: "${$nobody}"}}]\n')
    const refused = await run('rbac')
    expect(refused).to.deep.include({ code: 2, out: '' })
    expect(refused.err).to.match(/^roles\/web\/role\.yaml:1:\d+ error RB1204/)
  })
})
