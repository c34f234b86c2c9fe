import { basename, dirname } from 'node:path'
import { cwd } from 'node:process'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { Schema } from '../../../src/core/schema/schema.ts'
import type { Diagnostic } from '../../../src/core/yaml/diagnostic.ts'
import { editYaml } from '../../../src/core/yaml/edit-yaml.ts'
import { parseYaml } from '../../../src/core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../src/core/yaml/parsed-yaml.ts'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import { printFindings, printTestResults } from '../../../src/rolebook/cli/workflow-commands.ts'
import { faultRule } from '../../../src/rolebook/role-test/fault-rule.ts'
import { findTestFiles } from '../../../src/rolebook/role-test/find-test-files.ts'
import type { KindNames } from '../../../src/rolebook/role-test/kind-names.ts'
import { matchObject } from '../../../src/rolebook/role-test/match-object.ts'
import { printJson } from '../../../src/rolebook/role-test/print-json.ts'
import { printJunit } from '../../../src/rolebook/role-test/print-junit.ts'
import { printResult, printSummary } from '../../../src/rolebook/role-test/print-table.ts'
import type { TestCase } from '../../../src/rolebook/role-test/test-case.ts'
import type { TestResult } from '../../../src/rolebook/role-test/test-result.ts'

const test = { path: 'roles/web/tests/a.yaml', role: 'web' } as TestCase
const passed: TestResult = { test, failures: [], edits: [], milliseconds: 12 }

describe('reports of role tests', () => {
  it('show a test that passed in JUnit', () => {
    const line = '<testcase classname="web" name="a" file="roles/web/tests/a.yaml" time="0.012"/>'
    expect(printJunit([passed])).to.include(line)
  })

  it('show verdicts in colour, where there is any', () => {
    expect(printResult(passed, { color: true })).to.include('\u001b[32mok')
    expect(printResult(passed)).to.equal('ok   roles/web/tests/a.yaml  12 ms\n')
  })
})

describe('what was skipped of role tests', () => {
  const place = { file: 'roles/web/tests/a.yaml', line: 4, column: 7 }
  const whole: TestResult = { ...passed, skips: [{ ...place, reason: 'needs "workloads: false"' }] }
  const steps: TestResult = {
    ...passed,
    skips: ['drift', 'fault'].map((step) => ({ ...place, step, reason: 'needs the sandbox' })),
  }

  it('is said beneath its test in the table, and counted in the last line', () => {
    expect(printResult(whole)).to.equal(
      'skip roles/web/tests/a.yaml  12 ms\n  roles/web/tests/a.yaml:4:7 skipped: needs "workloads: false"\n',
    )
    expect(printResult(whole, { color: true })).to.include('\u001b[33mskip\u001b[0m ')
    expect(printSummary([passed, whole, steps])).to.equal(
      '3 tests: 2 passed, 0 failed, 1 skipped, 2 steps skipped (0.0 s)\n',
    )
    expect(printResult(steps)).to.include('  roles/web/tests/a.yaml:4:7 skipped: needs the sandbox (drift)\n')
    const one = { ...steps, skips: steps.skips?.slice(0, 1) }
    expect(printSummary([one])).to.equal('1 test: 1 passed, 0 failed, 1 step skipped (0.0 s)\n')
  })

  it('is a skipped test of JUnit, or output of a test that has run', () => {
    const lines = printJunit([passed, whole, steps]).split('\n')
    expect(lines[1]).to.equal('<testsuites tests="3" failures="0" skipped="1" time="0.036">')
    expect(lines).to.include('      <skipped message="needs &quot;workloads: false&quot;"/>')
    expect(lines.join('\n')).to.include(
      '      <system-out>roles/web/tests/a.yaml:4:7 skipped: needs the sandbox (drift)\n' +
        'roles/web/tests/a.yaml:4:7 skipped: needs the sandbox (fault)</system-out>',
    )
  })

  it('is part of what programs read, and a test that was skipped has not passed', () => {
    const shown = JSON.parse(printJson([passed, whole, steps])) as readonly { passed: boolean; skipped?: unknown }[]
    expect(shown.map((one) => [one.passed, one.skipped])).to.deep.equal([
      [true, undefined],
      [false, whole.skips],
      [true, steps.skips],
    ])
  })
})

describe('results of tests as commands of a workflow of GitHub', () => {
  const place = { file: 'roles/web/tests/a.yaml', line: 4, column: 7 }
  const failure = { ...place, step: 'creation', title: 'Deployment default/web is not as expected', details: [] }
  const cases: readonly { readonly name: string; readonly result: Partial<TestResult>; readonly printed: string }[] = [
    { name: 'say nothing of a test that passed', result: {}, printed: '' },
    {
      name: 'stand at the expectation, with what was found',
      result: { failures: [{ ...failure, details: ['spec.replicas: 2', '  100%: \r3'] }] },
      printed:
        '::error file=roles/web/tests/a.yaml,line=4,col=7,title=creation%3A Deployment default/web is not as expected::' +
        'spec.replicas: 2%0A  100%25: %0D3\n',
    },
    {
      name: 'have a text where nothing more is known',
      result: { failures: [{ ...failure, step: 'a, b' }] },
      printed:
        '::error file=roles/web/tests/a.yaml,line=4,col=7,title=a%2C b%3A Deployment default/web is not as expected::' +
        'Deployment default/web is not as expected\n',
    },
    {
      name: 'notice what was skipped',
      result: { skips: [{ ...place, step: 'drift', reason: 'needs the sandbox' }] },
      printed: '::notice file=roles/web/tests/a.yaml,line=4,col=7,title=drift%3A skipped::needs the sandbox\n',
    },
    {
      name: 'notice a test that was skipped',
      result: { skips: [{ ...place, reason: 'needs the sandbox' }] },
      printed: '::notice file=roles/web/tests/a.yaml,line=4,col=7,title=skipped::needs the sandbox\n',
    },
  ]
  for (const { name, result, printed } of cases) {
    it(name, () => expect(printTestResults([{ ...passed, ...result }], {})).to.equal(printed))
  }

  it('say of a finding how grave it is, with its hint', () => {
    const found = { file: 'roles/web/role.yaml', line: 2, column: 3, endColumn: 9, code: 'RB1', message: 'odd' }
    const findings = (['error', 'warning', 'note'] as const).map((severity) => ({
      ...found,
      severity,
      hint: 'mend it',
    }))
    const rest = 'file=roles/web/role.yaml,line=2,col=3,endColumn=9,title=RB1::odd (mend it)\n'
    const printed = ['error', 'warning', 'notice'].map((level) => `::${level} ${rest}`)
    expect(printFindings(findings as readonly unknown[] as Diagnostic[], {})).to.equal(printed.join(''))
  })

  it('name files as the repository does, also where the command runs in another folder', () => {
    const results = [{ ...passed, failures: [failure] }]
    const workspace = dirname(cwd())
    const here = basename(cwd())
    expect(printTestResults(results, { workspace })).to.match(
      new RegExp(`^::error file=${here}/roles/web/tests/a.yaml,`),
    )
    expect(printTestResults(results, { workspace: '/elsewhere' })).to.match(/^::error file=roles\/web\/tests\/a\.yaml,/)
  })
})

describe('edits of YAML', () => {
  const edited = (text: string, ...edits: { path: (string | number)[]; value: string | number }[]): string =>
    editYaml(parseYaml(new SourceFile('a.yaml', text)).documents[0] as ParsedYaml, edits)

  it('leave everything around a value as it is', () => {
    const text = 'a:   1 # one\nb: {c: "x", d: [1,   2]}\n'
    const edits = [
      { path: ['b', 'd', 1], value: 'a, b' },
      { path: ['a'], value: 'true' },
    ]
    expect(edited(text, ...edits)).to.equal('a:   "true" # one\nb: {c: "x", d: [1,   "a, b"]}\n')
  })

  it('keep a text of several lines on the line of the value, however deep it stands', () => {
    const value = 'server {\n  listen 80;\n}\n\nserver { listen 81; }\n'
    const text = edited('a:\n  b:\n    c: d\n    e: f\n', { path: ['a', 'b', 'c'], value })
    expect(text).to.equal(`a:\n  b:\n    c: ${JSON.stringify(value)}\n    e: f\n`)
  })

  it('put a value where there was none', () => {
    const edits = [
      { path: ['a', 'b'], value: 1 },
      { path: ['c', 0], value: 2 },
    ]
    expect(edited('a:\n  b: # one\nc:\n  -\n', ...edits)).to.equal('a:\n  b: 1 # one\nc:\n  - 2\n')
  })

  const bare: readonly { readonly given: string; readonly path: readonly string[]; readonly expected: string }[] = [
    { given: '{a, b: z}\n', path: ['a'], expected: '{a: 1, b: z}\n' },
    { given: '{b: z, "a" } # one\n', path: ['a'], expected: '{b: z, "a": 1 } # one\n' },
    { given: 'x:\n  ? a\n  ? b # one\n', path: ['x', 'b'], expected: 'x:\n  ? a\n  b: 1 # one\n' },
    { given: '{? a, b: z}\n', path: ['a'], expected: '{a: 1, b: z}\n' },
  ]
  for (const { given, path, expected } of bare) {
    it(`put a value behind a key without a colon: ${JSON.stringify(given)}`, () => {
      expect(edited(given, { path: [...path], value: 1 })).to.equal(expected)
    })
  }

  it('keep what the inner of two has changed', () => {
    const edits = [
      { path: ['a'], value: 'gone' },
      { path: ['a', 'b'], value: 2 },
    ]
    expect(edited('a: {b: 1}\n', ...edits)).to.equal('a: {b: 2}\n')
  })
})

describe('parts of role tests', () => {
  it('a fault of a code without a name has no reason', () => {
    expect(faultRule({ code: 418, times: 1 }, {} as KindNames).do.reply?.body.reason).to.equal('')
  })

  it('where there is no folder there are no tests', () => {
    expect(findTestFiles('no/such/folder')).to.deep.equal([])
  })

  it('items that are no maps never match one with a merge key', () => {
    const list: Schema = { type: 'array', 'x-kubernetes-patch-merge-key': 'name', items: { type: 'object' } }
    const schema: Schema = { type: 'object', properties: { list } }
    expect(matchObject({ list: [{ name: 'a' }] }, { list: ['a'] }, schema)).to.have.length(1)
    expect(matchObject({ list: ['a'] }, { list: [{ name: 'a' }] }, schema)).to.have.length(1)
    expect(matchObject({ a: undefined }, {}, schema)).to.deep.equal([])
  })

  it('a clock without timers has nothing to fire', () => {
    const clock = new FakeClock()
    clock.fireNext()
    expect(clock.monotonic()).to.equal(0)
  })
})
