import { expect } from 'chai'
import { ChartFailure, type ChartStage } from '../../src/chart/chart-failure.ts'
import type { HelmRenderer } from '../../src/chart/helm-renderer.ts'
import { chartOf, newRenderer, requestFor } from '../chart/renderer.ts'

/** What takes seconds to go wrong, and so is not in `npm test`. */
describe('charts that take all they can get', function () {
  this.timeout(600_000)
  let renderer: HelmRenderer
  before(() => {
    renderer = newRenderer({ time: 500_000 })
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

  it('render ten templates in few milliseconds when they are warm', async () => {
    const template =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ include "name" . }}-{{ .Template.Name | base }}"}\n'
    const helper = '{{ define "name" }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}'
    const names = Array.from({ length: 10 }, (_, i) => [`templates/${i}.yaml`, template] as const)
    const chart = await renderer.loadChart(chartOf({ ...Object.fromEntries(names), 'templates/_a.tpl': helper }))
    const times: number[] = []
    for (let round = 0; round < 300; round++) {
      const begun = performance.now()
      await renderer.render(requestFor(chart, { values: { round } }))
      times.push(performance.now() - begun)
    }
    const [fastest = 0] = times.slice(-100).sort((a, b) => a - b)
    // The fastest of many tells of the work, and not of what else the machine does.
    expect(fastest).to.be.below(20)
  })
})
