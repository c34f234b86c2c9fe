import { expect } from 'chai'
import { FakeClock } from '../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../src/core/base/json.ts'
import { ChartFailure, type ChartStage } from '../../src/engine/chart/chart-failure.ts'
import type { HelmRenderer } from '../../src/engine/chart/helm-renderer.ts'
import { chartOf, newRenderer, requestFor } from '../engine/chart/renderer.ts'
import { chartProject, chartRole, mapOfChart } from '../support/chart-project.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, WIDGET } from '../support/operator-sandbox.ts'

/** What takes seconds to go wrong, and so is not in `npm test`. */
describe('charts that take all they can get', function () {
  this.timeout(600_000)
  let renderer: HelmRenderer
  before(() => {
    renderer = newRenderer()
  })
  after(() => renderer.stop())

  const cases: readonly { name: string; template: string; stage: ChartStage; message: string }[] = [
    {
      name: 'one list',
      template: '{{ range until 1000000000 }}{{ end }}',
      stage: 'memory',
      message: 'rendering the chart takes more memory than it may have',
    },
    {
      name: 'a list that grows',
      template: '{{ $x := list }}{{ range until 1000000 }}{{ $x = append $x (repeat 100000 "xyz") }}{{ end }}',
      stage: 'memory',
      message: 'rendering the chart takes more memory than it may have',
    },
    {
      name: 'templates that include themselves',
      template: '{{ define "x" }}{{ include "x" . }}{{ end }}{{ include "x" . }}',
      stage: 'template',
      message: 'rendering template has a nested reference name: x: unable to execute template',
    },
    {
      name: 'templates that are themselves',
      template: '{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}',
      stage: 'template',
      message: 'exceeded maximum template depth',
    },
  ]
  for (const { name, template, stage, message } of cases) {
    it(`are stopped, and the next one is rendered: ${name}`, async () => {
      const chart = await renderer.loadChart(chartOf({ 'templates/a.yaml': template }))
      const failure = await renderer.render(requestFor(chart)).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(ChartFailure)
      expect((failure as ChartFailure).message).to.include(message)
      expect((failure as ChartFailure).stage).to.equal(stage)
      const good = await renderer.loadChart(chartOf({ 'templates/a.yaml': 'a: 1' }))
      expect((await renderer.render(requestFor(good))).manifests).to.have.length(1)
    })
  }
})

const LOOP = '{{ range until (int $.Values.many) }}'.repeat(6) + '{{ end }}'.repeat(6)
const GROWTH =
  '{{ $x := list }}{{ range until (int $.Values.more) }}{{ $x = append $x (repeat 100000 "xyz") }}{{ end }}\n'
/** So long that only the test makes it pass, by its clock. */
const TIME = 1e9
const PATIENCE_MS = 500_000
const TWO_KINDS = `- {group: example.com, version: v1, kind: Widget, role: widget}
- {group: example.com, version: v1, kind: Gadget, role: gadget, allowedNamespaces: [default]}
`

describe('resources whose charts take all they can get', function () {
  this.timeout(600_000)
  const clock = new FakeClock()
  let renderer: HelmRenderer
  let sandbox: OperatorSandbox
  before(async () => {
    renderer = newRenderer({ time: TIME }, clock)
    sandbox = await OperatorSandbox.start()
    const template = `${LOOP}${GROWTH}${mapOfChart('a', '{{ .Values.text | quote }}')}`
    const others = {
      'watches.yaml': TWO_KINDS,
      'roles/gadget/role.yaml': chartRole('      namespace: default'),
      'roles/gadget/charts/app/Chart.yaml': 'apiVersion: v2\nname: large\nversion: 1.0.0\n',
      'roles/gadget/charts/app/data.bin': 'x'.repeat(50_000_000),
    }
    sandbox.run(await chartProject({ 'templates/a.yaml': template }, chartRole(), others), { charts: renderer })
  })
  after(async () => {
    await sandbox.stop()
    await renderer.stop()
  })

  const expected: readonly { readonly name: string; readonly spec: JsonObject; readonly message: string }[] = [
    { name: 'endless', spec: { many: 1_000 }, message: 'rendering the chart takes longer than 1000000 s' },
    { name: 'hungry', spec: { more: 1_000_000 }, message: 'rendering the chart takes more memory than it may have' },
  ]
  const messageOf = async (name: string, gvk = WIDGET): Promise<string | undefined> => {
    const stalled = await sandbox.condition('Stalled', { name, gvk })
    return stalled?.status === 'True' ? stalled.message : undefined
  }
  const hasText = async (text: string): Promise<boolean> => {
    const map = await sandbox.get(CONFIG_MAP, 'good-a')
    return (map?.data as JsonObject | undefined)?.a === text
  }
  /** Within the time of the test: how long it takes is for the machine to say. */
  const comesTrue = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + PATIENCE_MS; !(await holds()); ) {
      if (performance.now() > end) throw new Error(`it never came about that ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it('say so in their conditions, while one of the same chart follows all that is asked of it', async () => {
    await sandbox.widget('good', { text: 'before' })
    await comesTrue('the good one is rendered', () => hasText('before'))
    for (const { name, spec } of expected) await sandbox.widget(name, spec)
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'large' } })
    await sandbox.widget('good', { text: 'meanwhile' })
    await comesTrue('the good one is rendered beside the others', async () => {
      await clock.advance(1_000)
      return hasText('meanwhile')
    })
    expect(await messageOf('endless'), 'it is still being rendered').to.equal(undefined)
    await comesTrue('hungry says so', async () => (await messageOf('hungry')) !== undefined)
    await clock.advance(TIME)
    for (const { name, message } of expected) {
      await comesTrue(`${name} says so`, async () => (await messageOf(name)) !== undefined)
      expect(await messageOf(name)).to.include(message)
    }
    await comesTrue('large says so', async () => (await messageOf('large', GADGET)) !== undefined)
    expect(await messageOf('large', GADGET)).to.include('the chart has 50000000 bytes, and 20971520 are allowed')
    await sandbox.widget('good', { text: 'after' })
    await comesTrue('the good one is rendered after them', () => hasText('after'))
  })
})
