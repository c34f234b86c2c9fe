import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { isExpectedToFail } from '../../../src/rolebook/role-test/expected-refusals.ts'
import { KindNames } from '../../../src/rolebook/role-test/kind-names.ts'
import { parseTest } from '../../../src/rolebook/role-test/parse-test.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { crd, WIDGET } from '../../support/operator-sandbox.ts'

const kinds = new KindNames(loadBuiltinSchemas(), [crd(WIDGET)])
const SAMPLE = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } }

/** Whether a test with this expectation says that the sample fails. */
function isExpectedBy(expectation: string): boolean {
  const text = `steps:\n  - expect: [${expectation}]\n`
  const surroundings = { role: 'widget', kinds, watched: [WIDGET], readFile: () => ({ objects: [] }) }
  const { test, diagnostics } = parseTest(new SourceFile('t.yaml', text), surroundings)
  if (!test) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return isExpectedToFail(SAMPLE, [test])
}

describe('a sample that is to fail', () => {
  const cases: readonly [name: string, expectation: string, isExpected: boolean][] = [
    ['is not ready', '{kind: Widget, name: a, status: {conditions: [{type: Ready, status: "False"}]}}', true],
    ['is stalled', '{kind: Widget, name: a, status: {conditions: [{type: Stalled, status: "True"}]}}', true],
    ['is no other one', '{kind: Widget, name: b, status: {conditions: [{type: Ready, status: "False"}]}}', false],
    [
      'is not ready in the end',
      '{kind: Widget, name: a, status: {conditions: [{type: Ready, status: "True"}]}}',
      false,
    ],
    ['is not stalled', '{kind: Widget, name: a, status: {conditions: [{type: Stalled, status: "False"}]}}', false],
    ['has a condition that is a text', '{kind: Widget, name: a, status: {conditions: [Ready]}}', false],
    ['has no expected conditions', '{kind: Widget, name: a, status: {phase: Down}}', false],
  ]
  for (const [name, expectation, isExpected] of cases) {
    it(`${name}: ${isExpected ? 'expected' : 'not expected'} by ${expectation}`, () => {
      expect(isExpectedBy(expectation)).to.equal(isExpected)
    })
  }
})
