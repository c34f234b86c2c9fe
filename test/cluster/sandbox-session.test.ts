import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const core = (kind: string) => ({ group: '', version: 'v1', kind })

const MANIFESTS = `
apiVersion: v1
kind: List
items:
  - { apiVersion: example.com/v1, kind: Widget, metadata: { name: w, namespace: made }, spec: { size: 1 } }
  - { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }
  - { apiVersion: v1, kind: Namespace, metadata: { name: made } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`

describe('A sandbox for programs', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  let cwd = ''
  let kubeconfig = ''
  beforeEach(() => {
    cwd = mkdtempSync(folder.at('session-'))
    kubeconfig = join(cwd, '.rolebook/kubeconfig')
  })

  const run = async (...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> => {
    const program = new RolebookProcess(['sandbox', ...args], { cwd })
    const code = await program.ended()
    return { code, out: program.stdout, err: program.stderr }
  }
  const connected = async <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> => {
    const connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'test' })
    return work(connection).finally(() => connection.close())
  }
  const names = (objects: readonly KubeObject[]): readonly unknown[] => objects.map(({ metadata }) => metadata.name)

  it('runs in the background until it is stopped, and says where', async () => {
    const started = await run('--detach')
    expect([started.code, started.err]).to.deep.equal([0, ''])
    expect(started.out).to.match(/^The sandbox runs at https:\/\/127\.0\.0\.1:\d+, process \d+, kubeconfig /)
    try {
      expect(names((await connected(({ client }) => client.list(core('Namespace')))).items)).to.include('default')
      expect(await run('status')).to.deep.equal({ ...started, code: 0 })
      const asked = JSON.parse((await run('status', '--output', 'json')).out)
      expect(asked).to.include({ running: true, kubeconfig: '.rolebook/kubeconfig' })
      expect(await run('--detach')).to.deep.include({ code: 1, out: '' })
    } finally {
      expect(await run('stop')).to.deep.equal({ code: 0, out: '', err: '' })
    }
    expect(await run('status')).to.deep.include({ code: 3, out: 'No sandbox runs with .rolebook/kubeconfig.\n' })
    expect(JSON.parse((await run('status', '--output', 'json')).out)).to.deep.equal({ running: false })
    expect(await run('stop')).to.deep.include({ code: 0 })
    expect(existsSync(join(cwd, '.rolebook/sandbox.json'))).to.equal(false)
  })

  it('does not go to the background when it cannot start, and says why', async () => {
    const refused = await run('--detach', '--port', '99999')
    expect(refused.code).to.equal(1)
    expect(refused.err).to.include('ended before it was ready').and.to.include('0 to 65535')
  })

  it('prints one line when it is ready, and has loaded what it was given', async () => {
    writeFileSync(join(cwd, 'all.yaml'), MANIFESTS)
    const program = new RolebookProcess(['sandbox', '--output', 'json', '--load', 'all.yaml'], { cwd })
    await program.until('it is ready', ({ stdout }) => stdout.endsWith('\n'))
    const { url, pid } = JSON.parse(program.stdout)
    expect(readFileSync(kubeconfig, 'utf8')).to.include(url)
    expect(process.kill(pid, 0)).to.equal(true)
    await connected(async ({ client }) => {
      const widget = { group: 'example.com', version: 'v1', kind: 'Widget' }
      expect(names((await client.list(widget)).items)).to.deep.equal(['w'])
      expect(names((await client.list(core('ConfigMap'))).items)).to.include('a')
    })
    expect(await program.stop()).to.equal(0)
  })

  const kubeconfigs: readonly (readonly [name: string, args: readonly string[], isKept: boolean])[] = [
    ['removes its kubeconfig when it stops', [], false],
    ['keeps its kubeconfig with its state', ['--data', 'kept'], true],
  ]
  for (const [name, args, isKept] of kubeconfigs) {
    it(`${name}, and prints JSON alone for --log-format json`, async () => {
      const program = new RolebookProcess(['sandbox', '--log-format', 'json', ...args], { cwd })
      await program.until('it is ready', ({ stdout }) => stdout.includes('sandbox ready'))
      expect(existsSync(kubeconfig)).to.equal(true)
      expect(await program.stop()).to.equal(0)
      expect(existsSync(kubeconfig)).to.equal(isKept)
      const lines = `${program.stdout}${program.stderr}`.trimEnd().split('\n')
      const texts = lines.map((line) => String(JSON.parse(line).msg))
      expect(texts.some((text) => text.includes('.rolebook/kubeconfig is removed'))).to.equal(!isKept)
    })
  }

  it('leaves a kubeconfig alone that was written anew since', async () => {
    const program = new RolebookProcess(['sandbox'], { cwd })
    await program.until('it listens', ({ stdout }) => stdout.includes('Kubernetes API at'))
    writeFileSync(kubeconfig, 'of another one')
    expect(await program.stop()).to.equal(0)
    expect(readFileSync(kubeconfig, 'utf8')).to.equal('of another one')
    expect(program.stderr).to.not.include('removed')
  })

  it('is the API server alone with --envtest, whatever stands in its folder', async () => {
    writeFileSync(join(cwd, 'watches.yaml'), 'nonsense')
    const program = new RolebookProcess(['sandbox', '--output', 'json', '--envtest'], { cwd })
    await program.until('it is ready', ({ stdout }) => stdout.endsWith('\n'))
    await connected(async ({ client }) => {
      expect((await client.list(core('ServiceAccount'))).items).to.deep.equal([])
      const [service] = (await client.list(core('Service'))).items
      expect(service).to.have.nested.property('spec.clusterIP', '10.0.0.1')
    })
    expect(await program.stop()).to.equal(0)
  })

  it('needs no whole project without an operator, and gives Services the range that it was given', async () => {
    writeFileSync(join(cwd, 'watches.yaml'), '[]')
    const range = ['--service-cluster-ip-range', '10.5.0.0/16']
    const program = new RolebookProcess(['sandbox', '--output', 'json', '--no-operator', ...range], { cwd })
    await program.until('it is ready', ({ stdout }) => stdout.endsWith('\n'))
    const services = await connected(({ client }) => client.list(core('Service')))
    expect(services.items[0]).to.have.nested.property('spec.clusterIP', '10.5.0.1')
    expect(await program.stop()).to.equal(0)
  })
})
