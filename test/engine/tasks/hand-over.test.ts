import { expect } from 'chai'
import { checkText } from '../../support/checked-role.ts'
import { markedText } from '../../support/marked-text.ts'
import { runTasks } from '../../support/task-run.ts'

const MAP = '{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}'

describe('handOver of a task', () => {
  const rendered = [
    { name: 'nothing', modifier: '', expected: [] },
    {
      name: 'paths',
      modifier: ', handOver: [data.a, "data[\'${spec.key}\']"]',
      expected: [
        ['data', 'a'],
        ['data', 'b'],
      ],
    },
    { name: 'one path', modifier: ', handOver: "${\'data.\' & spec.key}"', expected: [['data', 'b']] },
    { name: 'what yields nothing', modifier: ', handOver: "${spec.none}"', expected: [] },
  ]
  for (const { name, modifier, expected } of rendered) {
    it(`may be ${name}`, async () => {
      const { ensured } = await runTasks(`- {ensure: ${MAP}${modifier}}`, { spec: { key: 'b' } })
      expect(ensured[0]?.options.handOver).to.deep.equal(expected)
    })
  }

  const failing = [
    {
      name: 'no path',
      modifier: '["data.${spec.key}"]',
      end: 'failed Invalid `handOver`: "data.a b" is not a path of a field',
    },
    { name: 'no text', modifier: '"${[1]}"', end: 'failed Invalid `handOver` is not a list of paths' },
  ]
  for (const { name, modifier, end } of failing) {
    it(`fails the task when it yields ${name}`, async () => {
      expect((await runTasks(`- {ensure: ${MAP}, handOver: ${modifier}}`, { spec: { key: 'a b' } })).end).to.equal(end)
    })
  }

  const refused = [
    { name: 'a broken path', modifier: 'handOver: [data.a, «data..b]', code: 'RB1110', fix: '`spec.replicas`' },
    { name: 'the name', modifier: 'handOver: [«metadata.name]', code: 'RB1110', fix: 'labels, annotations' },
    { name: 'a number', modifier: 'handOver: [«5]', code: 'RB1022' },
    { name: 'an unknown variable', modifier: 'handOver: ["data.${«$nobody}"]', code: 'RB1204' },
    { name: 'a path that cannot exist', modifier: 'handOver: ["data.${spec.«nmae}"]', code: 'RB1220', fix: 'name' },
  ]
  for (const { name, modifier, code, fix } of refused) {
    it(`is refused with ${name}`, () => {
      const { text, place } = markedText(`tasks:\n  - ensure: ${MAP}\n    ${modifier}\n`)
      const [first] = checkText(text)
      expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal(`${code} ${place}`)
      if (fix !== undefined) expect(first?.hint).to.include(fix)
    })
  }
})
