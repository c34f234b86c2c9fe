import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type KubeObject, keyOf } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import { parseManifests } from '../../src/rolebook/config/parse-manifests.ts'
import { installCrd } from '../support/install-crd.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const NAMESPACE = { group: '', version: 'v1', kind: 'Namespace' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
/** How a namespace of a test, and what tests install, is marked. */
const MARK = 'rolebook.dev/role-test'
const WEBSITE = 'examples/01-config-hash'
/** It has the name of a child of that role. */
const OF_OTHERS = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop-page', namespace: 'default' } }

describe('tests of roles on a real cluster', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const programs: RolebookProcess[] = []
  let kubeconfig: string
  let person: Connection

  before(async function () {
    kubeconfig = (await sharedControlPlane(this)).kubeconfig
    person = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'person' })
    cpSync(WEBSITE, folder.path, { recursive: true })
    await person.client.create(OF_OTHERS, { fieldManager: 'person' })
  })
  after(async () => {
    for (const program of programs) await program.stop()
    await person.client.delete(CONFIG_MAP, keyOf(OF_OTHERS))
    await person.close()
    folder.remove()
  })

  function start(project: string, ...more: readonly string[]): RolebookProcess {
    const files = ['--watches-file', join(project, 'watches.yaml'), '--roles-path', join(project, 'roles')]
    const args = ['test', ...files, '--cluster', '--kubeconfig', kubeconfig, '--context', 'test', ...more]
    const program = new RolebookProcess(args)
    programs.push(program)
    return program
  }

  /** Namespaces and CRDs that tests have made. */
  async function left(): Promise<readonly string[]> {
    const options = { labelSelector: MARK }
    const all = await Promise.all([NAMESPACE, CRD].map((gvk) => person.client.list(gvk, options)))
    return all.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`))
  }

  it('pass for roles that ship, side by side, and leave nothing', async () => {
    const all = [start('.', 'memcached/'), start(WEBSITE), start('examples/07-secret-copy')]
    for (const program of all) expect(await program.ended(), program.stdout + program.stderr).to.equal(0)
    const [memcached, website, copy] = all.map(({ stdout }) => stdout)
    expect(memcached).to.match(
      /^skip .*faults\.yaml.*\n.* skipped: only the sandbox makes requests fail\nok {3}.*life\.yaml/,
    )
    expect(memcached).to.match(/life\.yaml:52:5 skipped: the clock of a cluster is not moved.*\(at rest\)/)
    expect(memcached).to.match(/2 tests: 1 passed, 0 failed, 1 skipped, 1 step skipped/)
    for (const text of [website, copy]) expect(text).to.match(/1 test: 1 passed, 0 failed/)
    expect(await left()).to.deep.equal([])
  })

  it('fail with what the author calls things, and leave nothing', async () => {
    const path = join(folder.path, 'roles/website/tests/rollout.yaml')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('data: { index.html: <h1>Open</h1> }', 'data: { index.html: <h1>Shut</h1> }'))
    const program = start(folder.path, '--timeout', '8s')
    expect(await program.ended(), program.stderr).to.equal(1)
    writeFileSync(path, text)
    expect(program.stdout).to.include('ConfigMap default/shop-page is not as expected (creation)')
    expect(program.stdout).to.include('actual    "<h1>Open</h1>"')
    expect(program.stdout).to.include('apply Deployment default/shop')
    expect(program.stdout).to.include('1 test: 0 passed, 1 failed')
    expect(await left()).to.deep.equal([])
  })

  it('leave nothing when they are interrupted', async () => {
    const program = start(folder.path)
    await untilThere()
    expect(await program.stop('SIGINT'), program.stderr).to.equal(1)
    expect(program.stderr).to.include('stopped: 0 of 1 tests have run')
    expect(await left()).to.deep.equal([])
  })

  /** Resolves once the operator of a test has made something. */
  async function untilThere(): Promise<void> {
    const stop = new AbortController()
    for await (const event of person.client.watch(CONFIG_MAP, { signal: stop.signal })) {
      if (event.type !== 'ADDED') continue
      const { name, namespace } = event.object.metadata
      if (name === 'shop-page' && namespace?.startsWith('rolebook-test-')) break
    }
    stop.abort()
  }

  it('leave a CRD of the cluster as it is, and do nothing where it differs', async () => {
    const key = { namespace: '', name: 'websites.example.com' }
    const path = join(folder.path, 'roles/website/crd.yaml')
    const text = readFileSync(path, 'utf8')
    const crd = parseManifests(new SourceFile(path, text)).manifests[0]?.object as KubeObject
    await installCrd(person, crd)
    try {
      const before = await person.client.get(CRD, key)
      const same = start(folder.path, '--reporter', 'json')
      expect(await same.ended(), same.stdout + same.stderr).to.equal(0)
      expect(JSON.parse(same.stdout)).to.have.nested.property('[0].passed', true)
      expect((await person.client.get(CRD, key))?.spec).to.deep.equal(before?.spec)
      writeFileSync(path, text.replace('minimum: 0', 'minimum: 1'))
      const other = start(folder.path)
      expect(await other.ended()).to.equal(1)
      expect(other.stderr).to.match(/websites.example.com: the one of the cluster differs in spec\.versions.*minimum/)
      expect((await person.client.get(CRD, key))?.spec).to.deep.equal(before?.spec)
      expect(await left()).to.deep.equal([])
    } finally {
      await person.client.delete(CRD, key)
    }
  })
})
