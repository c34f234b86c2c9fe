import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import { chartProject, chartRole, mapOfChart } from '../../../support/chart-project.ts'
import { chartStage } from '../../../support/chart-stage.ts'
import { eventually } from '../../../support/eventually.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, crd, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'
import { chartOf, newRenderer } from '../../chart/renderer.ts'

const CRD: Gvk = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const RECORD = 'rolebook.release.w'

describe('charts on a cluster', () => {
  const stage = chartStage()
  const { data, run, settle } = stage

  it('are installed once, with a record before the first object, and written no more', async () => {
    const project = await chartProject({ 'templates/a.yaml': mapOfChart('a', '{{ .Values.text | quote }}') })
    stage.sandbox.run(project, { charts: stage.charts })
    await stage.sandbox.widget('w', { text: 'one' })
    const first = await settle()
    expect(first.filter((write) => !write.includes('status'))).to.deep.equal([
      `apply Secret default/${RECORD}`,
      'apply ConfigMap default/w-a',
    ])
    expect((await stage.sandbox.get(WIDGET, 'w'))?.status).to.deep.include({
      release: { name: 'w', chart: '1.0.0', app: '7', count: 1 },
    })
    await stage.sandbox.restart(project, { charts: stage.charts })
    expect(await stage.sandbox.settled(), 'after a restart').to.deep.equal([])
  })

  long.it('follow their values, and what leaves the chart is removed', async () => {
    const b = `{{ if .Values.b }}\n${mapOfChart('b', '"1"')}{{ end }}`
    await run({ 'templates/a.yaml': mapOfChart('a', '{{ .Values.text | quote }}'), 'templates/b.yaml': b })
    await stage.sandbox.widget('w', { text: 'one', b: true })
    await settle()
    expect([await data('w-a'), await data('w-b')]).to.deep.equal(['one', '1'])
    await stage.sandbox.widget('w', { text: 'two' })
    await settle(2)
    expect([await data('w-a'), await data('w-b')]).to.deep.equal(['two', undefined])
  })

  it('put back what a user changes by hand', async () => {
    await run({ 'templates/a.yaml': mapOfChart('a', '"mine"') })
    await stage.sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })
    await settle()
    await stage.sandbox.edit(CONFIG_MAP, 'w-a', { data: { a: 'theirs' } })
    await stage.sandbox.until(
      () => data('w-a'),
      (seen) => seen === 'mine',
    )
  })

  it('keep what is random, and the time of the first rendering, through upgrades and restarts', async () => {
    const files = (more: string): Record<string, string> => ({
      'templates/a.yaml': mapOfChart('a', '"{{ randAlphaNum 20 }} {{ now | unixEpoch }}"'),
      'templates/b.yaml': mapOfChart('b', `"{{ .Release.Revision }} ${more}"`),
    })
    await run(files('one'))
    await stage.sandbox.widget('w')
    await settle()
    const first = await data('w-a')
    expect(first).to.match(/^[A-Za-z0-9]{20} \d+$/)
    expect(await data('w-b')).to.equal('1 one')
    await stage.sandbox.halt()
    await run(files('two'))
    await stage.sandbox.until(
      () => data('w-b'),
      (seen) => seen === '2 two',
    )
    await stage.sandbox.settled()
    expect(await data('w-a')).to.equal(first)
  })

  it('see what the cluster serves, and look up what they may', async () => {
    const text =
      '{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }} {{ .Capabilities.APIVersions.Has "none/v1" }} ' +
      '{{ (lookup "v1" "Secret" "default" "theirs").data.key | b64dec }} {{ lookup "v1" "Pod" "" "" | len }}'
    const role = chartRole('      lookups: [v1/Secret]')
    await stage.sandbox.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'theirs' },
      data: { key: 'dGhlaXJz' },
    })
    await run({ 'templates/a.yaml': mapOfChart('a', `'${text}'`) }, role)
    await stage.sandbox.widget('w')
    await settle()
    expect(await data('w-a')).to.equal('true false theirs 0')
    await stage.sandbox.edit(SECRET, 'theirs', { data: { key: 'bmV3' } })
    await stage.sandbox.until(
      () => data('w-a'),
      (seen) => seen === 'true false new 0',
    )
  })

  it('are rendered again when the server serves something else', async () => {
    const { mapper } = stage.sandbox.cluster.connection
    const apiVersions = ['v1']
    const asked: ResourceMapper = {
      mappingFor: (gvk) => mapper.mappingFor(gvk),
      preferred: (kind) => mapper.preferred(kind),
      refresh: () => mapper.refresh(),
      served: async () => ({ kubeVersion: 'v1.36.4', apiVersions }),
    }
    const text = '"{{ .Capabilities.APIVersions.Has "acme.example/v1" }}"'
    stage.sandbox.run(await chartProject({ 'templates/a.yaml': mapOfChart('a', text) }), {
      charts: stage.charts,
      mapper: asked,
    })
    await stage.sandbox.widget('w', {}, { annotations: { 'rolebook.dev/reconcile-at': 'once' } })
    await settle()
    expect(await data('w-a')).to.equal('false')
    apiVersions.push('acme.example/v1')
    await stage.sandbox.widget('w', {}, { annotations: { 'rolebook.dev/reconcile-at': 'twice' } })
    await stage.sandbox.until(
      () => data('w-a'),
      (seen) => seen === 'true',
    )
  })

  it('bring the kinds of what they make, which stay when all else goes', async () => {
    const clock = new FakeClock()
    const thing = { group: 'acme.example', version: 'v1', kind: 'Thing' }
    const role = chartRole().replace(
      'kinds: [',
      'kinds: [acme.example/v1/Thing, apiextensions.k8s.io/v1/CustomResourceDefinition, ',
    )
    const entry = `- group: example.com
  version: v1
  kind: Widget
  role: widget
  allowedNamespaces: ['*']
  acknowledge: [CustomResourceDefinition.apiextensions.k8s.io]
`
    const files = {
      'crds/things.yaml': JSON.stringify(crd(thing)),
      'templates/a.yaml':
        'apiVersion: acme.example/v1\nkind: Thing\nmetadata: {name: "{{ .Release.Name }}"}\nspec: {a: 1}\n',
    }
    stage.sandbox.run(await chartProject(files, role, { 'watches.yaml': entry }), { charts: stage.charts, clock })
    await stage.sandbox.widget('w')
    const isReady = async (): Promise<boolean> => {
      await clock.advance(1_000)
      // It is asked again after five seconds by the clock of the machine.
      stage.sandbox.cluster.connection.mapper.refresh()
      return (await stage.sandbox.condition('Ready'))?.reason === 'Ready'
    }
    await stage.sandbox.until(isReady, (seen) => seen)
    expect(await stage.sandbox.get(thing, 'w')).to.not.equal(undefined)
    await stage.sandbox.remove(WIDGET, 'w')
    await stage.sandbox.gone(thing, 'w')
    expect(await stage.sandbox.get(CRD, 'things.acme.example')).to.not.equal(undefined)
  })

  const refusals = [
    {
      name: 'values that their schema refuses',
      files: { 'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}' },
      message: "at '/replicas': got string, want integer",
    },
    {
      name: 'a template that fails',
      files: { 'templates/a.yaml': '\n{{ fail "no luck" }}' },
      message: 'execution error at (app/templates/a.yaml:2:3): no luck',
    },
    {
      name: 'a kind that the task does not list',
      files: { 'templates/a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n' },
      message: 'the chart makes a Pod: add v1/Pod to the `kinds` of the task',
    },
    {
      name: 'a chart that is far too large',
      files: { 'large.bin': 'x'.repeat(50_000_000) },
      message: 'the chart has 50000000 bytes, and 20971520 are allowed',
    },
  ]
  for (const { name, files, message } of refusals) {
    it(`end in the conditions of their resource: ${name}`, async () => {
      await run(files)
      await stage.sandbox.widget('w', { replicas: 'many' })
      const stalled = await stage.sandbox.until(
        () => stage.sandbox.condition('Stalled'),
        (seen) => seen?.status === 'True',
      )
      expect(stalled?.message).to.include(message)
      expect(await stage.sandbox.get(CONFIG_MAP, 'w-a')).to.equal(undefined)
    })
  }

  long.it('that never end, end in a condition of their resource alone: those beside it do not notice', async () => {
    const clock = new FakeClock()
    const own = newRenderer({}, clock)
    // Two threads take their time to begin.
    await Promise.all([own.loadChart(chartOf({})), own.loadChart(chartOf({ 'values.yaml': '' }))])
    const loop = '{{ range until (int $.Values.many) }}'.repeat(6) + '{{ end }}'.repeat(6)
    stage.sandbox.run(
      await chartProject({ 'templates/a.yaml': `${loop}${mapOfChart('a', '{{ .Values.text | quote }}')}` }),
      {
        charts: own,
      },
    )
    await stage.sandbox.widget('w', { many: 1_000 })
    await eventually(() => clock.pending === 3, 'its chart is being rendered')
    await stage.sandbox.widget('other', { text: 'one' })
    await clock.advance(2_000)
    await stage.sandbox.ready('Ready', { name: 'other' })
    expect(await stage.sandbox.condition('Stalled'), 'it is still at it').to.equal(undefined)
    await clock.advance(20_000)
    const stalled = await stage.sandbox.until(
      () => stage.sandbox.condition('Stalled'),
      (seen) => seen?.status === 'True',
    )
    expect(stalled?.message).to.include('rendering the chart takes longer than 20 s')
    await stage.sandbox.widget('other', { text: 'two' })
    await stage.sandbox.ready('Ready', { name: 'other', generation: 2 })
    expect(await data('other-a')).to.equal('two')
    await own.stop()
  })

  it('leave what `helm.sh/resource-policy: keep` is on, when the chart leaves it out and when all goes', async () => {
    const keep = '  annotations: {helm.sh/resource-policy: keep}\n'
    const left = `{{ if .Values.all }}\n${mapOfChart('left', '"1"', keep)}---\n${mapOfChart('gone', '"1"')}{{ end }}`
    await run({
      'templates/a.yaml': mapOfChart('a', '"1"', keep),
      'templates/b.yaml': mapOfChart('b', '"1"'),
      'templates/left.yaml': left,
    })
    await stage.sandbox.widget('w', { all: true })
    await settle()
    await stage.sandbox.widget('w', { all: false })
    await settle(2)
    expect([await data('w-left'), await data('w-gone')]).to.deep.equal(['1', undefined])
    await stage.sandbox.remove(WIDGET, 'w')
    await stage.sandbox.gone(CONFIG_MAP, 'w-b')
    expect([await data('w-a'), await data('w-left')]).to.deep.equal(['1', '1'])
  })
})
