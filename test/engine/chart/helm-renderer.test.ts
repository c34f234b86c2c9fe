import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { LookupQuery, Rendering, RenderRequest } from '../../../src/core/kube/helm-chart.ts'
import { ChartFailure } from '../../../src/engine/chart/chart-failure.ts'
import type { HelmRenderer } from '../../../src/engine/chart/helm-renderer.ts'
import { eventually } from '../../support/eventually.ts'
import { long } from '../../support/long-tests.ts'
import { chartOf, newRenderer, requestFor } from './renderer.ts'
import { tarOf } from './tar.ts'

describe('Helm charts', function () {
  this.timeout(60_000)
  let renderer: HelmRenderer
  before(() => {
    renderer = newRenderer()
  })
  after(() => renderer.stop())

  const render = async (files: Readonly<Record<string, string>>, more: Partial<RenderRequest> = {}) =>
    renderer.render(requestFor(await renderer.loadChart(chartOf(files)), more))
  const rendered = async (text: string, more: Partial<RenderRequest> = {}): Promise<JsonObject> => {
    const { manifests } = await render({ 'templates/a.yaml': text }, more)
    return manifests[0]?.object ?? {}
  }

  long.it('are read with what they are called', async () => {
    const chart = await renderer.loadChart(
      chartOf({
        'Chart.yaml': 'apiVersion: v2\nname: tomcat\nversion: 1.2.3\nappVersion: "9.0"\n',
        'values.yaml': 'replicaCount: 1\n',
        'values.schema.json': '{"type": "object"}',
      }),
    )
    expect(chart).to.deep.include({ name: 'tomcat', version: '1.2.3', appVersion: '9.0', values: { replicaCount: 1 } })
    expect(chart.schema).to.equal('{"type": "object"}')
  })

  it('are the same in an archive', async () => {
    const files = {
      'Chart.yaml': 'apiVersion: v2\nname: packed\nversion: 1.0.0\n',
      'templates/a.yaml': 'a: {{ .Chart.Name }}',
    }
    const chart = await renderer.loadChart({ archive: gzipSync(tarOf('packed', files)) })
    expect((await renderer.render(requestFor(chart))).manifests).to.deep.equal([
      { source: 'packed/templates/a.yaml', object: { a: 'packed' } },
    ])
  })

  it('leave out what .helmignore says', async () => {
    const files = { '.helmignore': '*.bak\nold/\n', 'templates/a.yaml.bak': 'a: 1', 'templates/old/b.yaml': 'b: 1' }
    expect((await render(files)).manifests).to.deep.equal([])
  })

  it('see the release, the capabilities and values on top of their own', async () => {
    const text =
      'a: {{ .Release.Name }}/{{ .Release.Namespace }}/{{ .Release.Revision }}/{{ .Release.IsInstall }}/{{ .Release.IsUpgrade }}\n' +
      'b: {{ .Capabilities.KubeVersion.Version }}/{{ .Capabilities.APIVersions.Has "apps/v1" }}/{{ .Capabilities.APIVersions.Has "x/v1" }}\n' +
      'c: {{ .Values.mine }}'
    const release = { name: 'shop', namespace: 'web', revision: 2 }
    expect(await rendered(text, { values: { mine: 7 }, release })).to.deep.equal({
      a: 'shop/web/2/false/true',
      b: 'v1.36.4/true/false',
      c: 7,
    })
  })

  it('come in the order of an installation, with hooks, CRDs and notes apart', async () => {
    const object = (kind: string, more = ''): string => `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: x\n${more}`
    const hook = '  annotations:\n    helm.sh/hook: pre-install,post-delete\n    helm.sh/hook-weight: "-5"\n'
    const made = await render({
      'templates/a.yaml': `${object('Service')}---\n${object('Secret')}---\n# nothing\n---\n${object('Widget')}`,
      'templates/job.yaml': object('Job', `${hook}    helm.sh/hook-delete-policy: hook-succeeded, hook-failed\n`),
      'templates/NOTES.txt': 'Thank you',
      'crds/b.yaml': `${object('B1')}---\n${object('B2')}`,
    })
    expect(made.manifests.map(({ object: { kind } }) => kind)).to.deep.equal(['Secret', 'Service', 'Widget'])
    expect(made.crds.map(({ source, object: { kind } }) => [source, kind])).to.deep.equal([
      ['demo/crds/b.yaml', 'B1'],
      ['demo/crds/b.yaml', 'B2'],
    ])
    expect(made.hooks).to.have.length(1)
    expect(made.hooks[0]).to.deep.include({
      source: 'demo/templates/job.yaml',
      events: ['pre-install', 'post-delete'],
      weight: -5,
      deletePolicies: ['hook-succeeded', 'hook-failed'],
    })
  })

  const failures: readonly { name: string; files: Record<string, string>; stage: string; message: string }[] = [
    {
      name: 'a chart without a version',
      files: { 'Chart.yaml': 'apiVersion: v2\nname: demo\n' },
      stage: 'chart',
      message: 'validation: chart.metadata.version is required',
    },
    {
      name: 'a library',
      files: { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\ntype: library\n' },
      stage: 'chart',
      message: 'library charts are not installable',
    },
    {
      name: 'a sub-chart that is not there',
      files: {
        'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0}]\n',
      },
      stage: 'chart',
      message: 'found in Chart.yaml, but missing in charts/ directory: db',
    },
    {
      name: 'a chart for another Kubernetes',
      files: { 'Chart.yaml': 'apiVersion: v2\nname: demo\nversion: 1.0.0\nkubeVersion: ">=2.0.0"\n' },
      stage: 'capabilities',
      message: 'chart requires kubeVersion: >=2.0.0 which is incompatible with Kubernetes v1.36.4',
    },
    {
      name: 'values that the schema refuses',
      files: {
        'values.yaml': 'replicas: many\n',
        'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}',
      },
      stage: 'values',
      message: "- at '/replicas': got string, want integer",
    },
    {
      name: 'a required value',
      files: { 'templates/a.yaml': '\n\na: {{ required "name it" .Values.name }}' },
      stage: 'template',
      message: 'execution error at (demo/templates/a.yaml:3:6): name it',
    },
    {
      name: 'a function that is not there',
      files: { 'templates/a.yaml': 'a: {{ env "HOME" }}' },
      stage: 'template',
      message: 'parse error at (demo/templates/a.yaml:1): function "env" not defined',
    },
    {
      name: 'a template that makes no YAML',
      files: { 'templates/a.yaml': 'a: b: c' },
      stage: 'manifest',
      message: 'YAML parse error on demo/templates/a.yaml: error converting YAML to JSON',
    },
    {
      name: 'a schema from the network',
      files: { 'values.schema.json': '{"$ref": "https://schemas.invalid/a.json"}' },
      stage: 'values',
      message: 'HTTP request failed for https://schemas.invalid/a.json',
    },
    {
      name: 'a schema from the disk',
      files: { 'values.schema.json': '{"$ref": "file:///etc/passwd"}' },
      stage: 'values',
      message: 'Bad file number',
    },
    {
      name: 'a chart that is too large',
      files: { 'data.bin': 'x'.repeat(50_000_000) },
      stage: 'size',
      message: 'the chart has 50000041 bytes, and 20971520 are allowed',
    },
  ]
  for (const { name, files, stage, message } of failures) {
    it(`end with Helm's own words or a limit: ${name}`, async () => {
      const failure = await failureOf(render(files))
      expect(failure.message).to.include(message)
      expect(failure.stage).to.equal(stage)
    })
  }

  long.it('that never end are stopped, and neither other charts nor other releases notice', async () => {
    const clock = new FakeClock()
    const own = newRenderer({}, clock)
    const loop = '{{ range until (int $.Values.many) }}'.repeat(6) + '{{ end }}'.repeat(6)
    const chart = await own.loadChart(chartOf({ 'templates/a.yaml': `${loop}a: 1` }))
    const good = await own.loadChart(chartOf({ 'templates/a.yaml': 'a: 1' }))
    const render = (name: string, many = 0) =>
      own.render(requestFor(chart, { values: { many }, release: { name, namespace: 'web', revision: 1 } }))
    const endless = failureOf(render('endless', 1_000))
    await eventually(() => own.threads === 1 && clock.pending === 2, 'the chart is being rendered')
    expect((await own.render(requestFor(good))).manifests, 'another chart').to.have.length(1)
    const other = render('other')
    await clock.advance(2_000)
    expect((await other).manifests, 'another release').to.have.length(1)
    await clock.advance(18_000)
    expect((await endless).stage).to.equal('time')
    const again = failureOf(render('endless', 1_000))
    expect((await render('third')).manifests, 'at once, now that it is known').to.have.length(1)
    await eventually(() => own.threads === 2 && clock.pending === 2, 'a thread rests, and one is busy')
    await clock.advance(20_000)
    expect((await again).stage).to.equal('time')
    await clock.advance(60_000)
    expect(own.threads, 'threads without work end').to.equal(0)
    await own.stop()
  })

  long.it('are read once, and rendered the same once: at rest there is nothing for a thread to do', async () => {
    const clock = new FakeClock()
    const own = newRenderer({}, clock)
    const source = chartOf({ 'templates/a.yaml': 'a: 1' })
    const first = await own.render(requestFor(await own.loadChart(source)))
    await clock.advance(60_000)
    expect(own.threads).to.equal(0)
    expect(await own.render(requestFor(await own.loadChart(source)))).to.deep.equal(first)
    expect(own.threads).to.equal(0)
    await own.stop()
  })

  long.it('are read again after a failure, once for all who ask', async () => {
    const own = newRenderer()
    const source = chartOf({ 'templates/a.yaml': 'a: 1' })
    const stopped = Promise.all([1, 2].map(() => failureOf(own.loadChart(source))))
    await own.stop()
    expect((await stopped).map(({ stage }) => stage)).to.deep.equal(['engine', 'engine'])
    expect(own.threads).to.equal(0)
    const [first, second] = await Promise.all([own.loadChart(source), own.loadChart(source)])
    expect([first.name, own.threads]).to.deep.equal(['demo', 1])
    expect(second, 'read once for both').to.equal(first)
    await own.stop()
  })

  long.it('wait for a thread when all are busy, and render the same only once', async () => {
    const own = newRenderer({ workers: 1 })
    const load = (text: string) => own.loadChart(chartOf({ 'templates/a.yaml': text }))
    const charts = await Promise.all([load('a: 1'), load('a: 2'), load('a: 3')])
    const made = await Promise.all([...charts, ...charts].map((chart) => own.render(requestFor(chart))))
    expect(made.map(madeBy)).to.deep.equal([1, 2, 3, 1, 2, 3])
    expect(own.threads).to.equal(1)
    for (let i = 0; i < 48; i++) await load(`b: ${i}`)
    expect(own.threads, 'one that has seen many charts is replaced').to.equal(0)
    await own.stop()
  })

  long.it('may not render to more than is allowed', async () => {
    const own = newRenderer({ renderedSize: 10_000 })
    const chart = await own.loadChart(chartOf({ 'templates/a.yaml': 'a: {{ repeat 20000 "x" }}' }))
    const failure = await failureOf(own.render(requestFor(chart)))
    expect(failure.stage).to.equal('size')
    expect(failure.message).to.include('and 10000 are allowed')
    await own.stop()
  })

  const lookup = { name: 'one object', text: 'a: {{ (lookup "v1" "Secret" "web" "db").data.key }}' }
  it(`look up ${lookup.name}, and are asked again with the answer`, async () => {
    const asked: LookupQuery[] = []
    const answer = async (query: LookupQuery): Promise<JsonObject> => {
      asked.push(query)
      return { data: { key: 'found' } }
    }
    expect(await rendered(lookup.text, { lookup: answer })).to.deep.equal({ a: 'found' })
    expect(asked).to.deep.equal([{ apiVersion: 'v1', kind: 'Secret', namespace: 'web', name: 'db' }])
  })

  it('find nothing by lookup when there is no cluster to ask', async () =>
    expect(await rendered('a: {{ lookup "v1" "Secret" "web" "" | len }}')).to.deep.equal({ a: 0 }))

  it('cannot look up what they found for ever', async () => {
    const text =
      '{{ define "next" }}{{ include "next" (lookup "v1" "A" "" .name) }}{{ end }}{{ include "next" (dict "name" "a") }}'
    let count = 0
    const failure = await failureOf(rendered(text, { lookup: async () => ({ name: `a${count++}` }) }))
    expect(failure.stage).to.equal('lookup')
  })

  const random: readonly string[] = [
    'randAlphaNum 20',
    'randAlpha 20',
    'randAscii 20 | quote',
    'randNumeric 20 | quote',
    'randBytes 20',
    'randInt 0 1000000000',
    'uuidv4',
    'shuffle "abcdefghijklmnopqrstuvwxyz"',
    'bcrypt "password"',
    'encryptAES "key" "text"',
    'genPrivateKey "ed25519" | quote',
    '(genCAWithKey "ca" 10 (genPrivateKey "ecdsa")).Cert | quote',
    '(genSelfSignedCertWithKey "cn" (list "10.0.0.1") (list "a.b") 10 (genPrivateKey "ecdsa")).Cert | quote',
  ]
  for (const call of random) {
    it(`keep what is random: ${call}`, async () => {
      const files = { 'templates/a.yaml': `a: {{ ${call} }}` }
      const [first, other] = [await render(files), await render(files, { now: 1 })]
      const again = await render(files, { now: 2, draws: first.draws })
      expect(madeBy(first), 'another release').to.not.deep.equal(madeBy(other))
      expect(madeBy(again), 'the same release').to.deep.equal(madeBy(first))
      expect(again.draws).to.deep.equal(first.draws)
    })
  }

  it('make a password anew when its rule has changed, and keep those of other templates', async () => {
    const files = (length: number): Record<string, string> => ({
      'templates/a.yaml': `a: {{ randAlphaNum ${length} }}\nb: {{ randAlphaNum 9 }}\nc: {{ randAlphaNum 9 }}`,
      'templates/b.yaml': 'a: {{ randAlphaNum 8 }}',
    })
    const first = await render(files(8))
    const { 'templates/b.yaml': _gone, ...less } = files(12)
    const again = await render(less, { draws: first.draws })
    const [before, after] = [madeBy(first) as JsonObject, madeBy(again) as JsonObject]
    expect(after.a).to.have.length(12)
    expect([after.b, after.c]).to.deep.equal([before.b, before.c])
    expect(again.draws).to.have.length(3)
  })

  long.it('hash a password that was changed anew', async () => {
    const files = { 'templates/a.yaml': 'a: {{ htpasswd "user" .Values.password }}' }
    const first = await render(files, { values: { password: 'one' } })
    const again = await render(files, { values: { password: 'two' }, draws: first.draws })
    expect(again.draws).to.have.length(1)
    expect(madeBy(again)).to.not.deep.equal(madeBy(first))
    expect(JSON.stringify(first.draws)).to.not.include('arguments')
  })

  it('see a time that stands still', async () => {
    const text = 'a: {{ now | date "2006-01-02T15:04:05" }}\nb: {{ now }}\nc: {{ ago now }}'
    expect(await rendered(text, { now: Date.UTC(2026, 1, 3, 4, 5, 6) })).to.deep.equal({
      a: '2026-02-03T04:05:06',
      b: '2026-02-03 04:05:06 +0000 UTC',
      c: '0s',
    })
  })

  it('walk through maps in an order of their own', async () => {
    const text =
      '{{ $d := dict "c" 3 "a" 1 "b" 2 "e" 5 "d" 4 }}a: {{ keys $d | join "" }}\nb: {{ values $d | join "-" }}'
    expect(await rendered(text)).to.deep.equal({ a: 'abcde', b: '1-2-3-4-5' })
  })
})

function madeBy({ manifests }: Rendering): unknown {
  const object = manifests[0]?.object
  return object && 'b' in object ? object : object?.a
}

async function failureOf(work: Promise<unknown>): Promise<ChartFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).to.be.instanceOf(ChartFailure)
  return error as ChartFailure
}
