import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { runProgram } from '../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../support/fake-terminal.ts'
import { temporaryFolder, writeFiles } from '../support/temporary-folder.ts'

const MANIFESTS = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop, labels: {app: db}}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      serviceAccountName: db-reader
      containers:
        - name: postgres
          image: postgres:18
          ports: [{containerPort: 5432}]
          resources: {requests: {cpu: 100m, memory: 64Mi}}
          env: [{name: PATHS, value: "$\{HOME}/$\{metadata.name}"}]
          envFrom: [{configMapRef: {name: db-settings}}]
          volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates:
    - metadata: {name: data}
      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432, targetPort: 5432}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: db-settings, namespace: shop}
data: {mode: fast, "on": "yes"}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: db-reader, namespace: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
`

describe('rolebook init --from', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  after(() => folder.remove())
  const places = ['--watches-file', join(folder.path, 'watches.yaml'), '--roles-path', join(folder.path, 'roles')]

  async function run(...args: readonly string[]): Promise<FakeTerminal & { readonly code: number }> {
    const terminal = new FakeTerminal()
    return Object.assign(terminal, { code: await runProgram([...args, ...places], terminal) })
  }

  const INIT = ['init', '--group', 'example.com', '--version', 'v1', '--kind', 'Database'] as const

  it('writes a role that makes of its sample what was given, and passes check --strict and test', async () => {
    writeFiles(folder.path, { 'given/all.yaml': MANIFESTS })
    const made = await run(...INIT, '--from', join(folder.path, 'given'))
    expect(made.code, made.stderr).to.equal(0)
    expect(made.stdout).to.include('tests/life.yaml')
    expect(made.stderr).to.include('note: left out: Namespace shop: the resource is in it before the role runs')
    const sample = join(folder.path, 'roles/database/samples/database.yaml')
    expect(parse(readFileSync(sample, 'utf8')).spec).to.deep.equal({
      image: 'postgres:18',
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
      replicas: 2,
      storage: '1Gi',
      port: 5432,
    })
    const rendered = await run('render', sample)
    const objects = parseAllDocuments(rendered.stdout).map((document) => document.toJS())
    const given = parseAllDocuments(MANIFESTS).map((document) => document.toJS())
    const expected = given.filter(({ kind }) => kind !== 'Namespace')
    expect(objects.filter(({ kind }) => kind !== 'Database')).to.have.deep.members(expected)
    const checked = await run('check', '--strict')
    expect(checked.stdout + checked.stderr).to.include('in order')
    const tested = await run('test')
    expect(tested.code, tested.stdout).to.equal(0)
  })
})
