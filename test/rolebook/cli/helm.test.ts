import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { parse } from 'yaml'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { tarOf } from '../../engine/chart/tar.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'

const TOMCAT = 'roles/tomcat/charts/tomcat'
const KIND = ['--group', 'apache.org', '--kind', 'Tomcat']
const CHART = 'apiVersion: v2\nname: app\nversion: 1.0.0\n'
const MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n'
const BYE =
  'apiVersion: batch/v1\nkind: Job\nmetadata: {name: bye, annotations: {helm.sh/hook: pre-delete}}\n' +
  'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n'

describe('a Helm chart on the command line', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  const newFolder = (files: Readonly<Record<string, string | Uint8Array>> = {}): string => {
    const root = mkdtempSync(join(folder.path, 'helm-'))
    writeFiles(root, files)
    return root
  }

  async function run(args: readonly string[], root?: string) {
    const terminal = new FakeTerminal()
    const places = root ? ['--watches-file', join(root, 'watches.yaml'), '--roles-path', join(root, 'roles')] : []
    const code = await runProgram([...args, ...places], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  async function expectSound(root: string): Promise<void> {
    expect(await run(['check', '--strict'], root)).to.deep.include({ code: 0, out: '' })
    const tested = await run(['test'], root)
    expect(tested.code, tested.out).to.equal(0)
  }
  const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8')

  long.it('becomes a project that passes check --strict and test at once', async () => {
    const root = newFolder()
    expect((await run(['init', '--helm-chart', TOMCAT, ...KIND], root)).code).to.equal(0)
    expect(read(root, 'roles/tomcat/charts/tomcat/values.yaml')).to.equal(readFileSync(`${TOMCAT}/values.yaml`, 'utf8'))
    expect(read(root, 'roles/tomcat/role.yaml')).to.include('kinds: [apps/v1/Deployment, v1/Service]')
    await expectSound(root)
  })

  long.it('may be an archive, with hooks for its deletion', async () => {
    const placed = MAP.replace('metadata: {', 'metadata: {namespace: default, ')
    const files = { 'Chart.yaml': CHART, 'templates/a.yaml': placed, 'templates/bye.yaml': BYE }
    const root = newFolder({ 'app-1.0.0.tgz': gzipSync(tarOf('app', files)) })
    const { code, err } = await run(['init', '--helm-chart', join(root, 'app-1.0.0.tgz'), ...KIND], root)
    expect(code, err).to.equal(0)
    const role = read(root, 'roles/tomcat/role.yaml')
    expect(role).to.include('path: charts/app-1.0.0.tgz')
    expect(role).to.include('finalize:')
    expect(role).to.include('kinds: [batch/v1/Job, v1/ConfigMap]')
    await expectSound(root)
  })

  it('gives the CRD of its values', async () => {
    const { code, out } = await run(['generate', 'crd', '--from-chart', TOMCAT, ...KIND])
    expect(code).to.equal(0)
    expect(out, 'the one that is shipped').to.equal(readFileSync('roles/tomcat/crd.yaml', 'utf8'))
  })

  it('gives a CRD without a schema of its values, from what they are', async () => {
    const values = 'text: a\nwhole: 1\npart: 1.5\nis: true\nlist: [a]\nnothing: null\nmap: {inner: 1}\nempty: {}\n'
    const root = newFolder({ 'app/Chart.yaml': CHART, 'app/values.yaml': values })
    const { out } = await run(['generate', 'crd', '--from-chart', join(root, 'app'), ...KIND])
    const { spec } = parse(out).spec.versions[0].schema.openAPIV3Schema.properties
    const open = { 'x-kubernetes-preserve-unknown-fields': true }
    expect(spec).to.deep.equal({
      description: "Values on top of the chart's own.",
      type: 'object',
      ...open,
      properties: {
        text: { type: 'string' },
        whole: { type: 'integer' },
        part: { type: 'number' },
        is: { type: 'boolean' },
        list: { type: 'array', items: open },
        nothing: open,
        map: { type: 'object', properties: { inner: { type: 'integer' } }, ...open },
        empty: { type: 'object', ...open },
      },
    })
  })

  const refusals = [
    {
      name: 'that is not there',
      args: ['init', '--helm-chart', 'nowhere', ...KIND],
      message: 'nowhere is not a chart',
    },
    {
      name: 'that is none',
      args: ['init', '--helm-chart', 'deploy', ...KIND],
      message: 'Chart.yaml file is missing',
    },
    {
      name: 'without a kind',
      args: ['generate', 'crd', '--from-chart', TOMCAT],
      message: '--from-chart: give --group and --kind, too',
    },
  ]
  for (const { name, args, message } of refusals) {
    it(`is refused: one ${name}`, async () => {
      const { code, err } = await run(args, args[0] === 'init' ? newFolder() : undefined)
      expect(code).to.equal(2)
      expect(err).to.include(message)
    })
  }
})
