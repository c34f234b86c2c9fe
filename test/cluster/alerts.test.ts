import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stderr } from 'node:process'
import { expect } from 'chai'
import { parse, stringify } from 'yaml'
import { buildProgram, hasGo } from '../control-plane/go-build.ts'
import { ALERT_CASES, type AlertCase, OPERATOR } from './alert-cases.ts'

const ALERTS = 'docs/monitoring/alerts.yaml'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface Rules {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}

interface Verdict {
  readonly isGood: boolean
  readonly output: string
}

/** Rules of which one alert has another expression or another wait. */
const MUTANTS: readonly { readonly name: string; readonly mutate: (rule: Rule) => Rule }[] = [
  {
    name: 'that waits a minute more',
    mutate: (rule) => ({ ...rule, for: `${Number.parseInt(rule.for, 10) + 1}m` }),
  },
  {
    name: 'that compares the other way round',
    mutate: (rule) => ({
      ...rule,
      expr: rule.expr.replaceAll(/ (==|>) (?=\d)/g, (_, sign) => (sign === '>' ? ' <= ' : ' != ')),
    }),
  },
]

describe('the alerts, as promtool judges them', function () {
  this.timeout(30 * 60_000)
  let promtool: string
  let folder: string
  const rules = (parse(readFileSync(ALERTS, 'utf8')) as Rules).groups.flatMap((group) => group.rules)

  before(function () {
    if (!hasGo()) {
      stderr.write(
        'SKIPPED: the alerts are not judged by promtool: it is built from its Go module, and Go is not on the path\n',
      )
      this.skip() // without Go there is no promtool
    }
    // The clouds in which Prometheus finds what it scrapes are most of the program otherwise.
    const flags = (): readonly string[] => ['-tags', 'remove_all_sd', '-ldflags', '-s -w']
    const place = { module: 'prometheus', package: 'github.com/prometheus/prometheus/cmd/promtool' }
    promtool = buildProgram('promtool', { ...place, flags })
    folder = mkdtempSync(join(tmpdir(), 'rolebook-alerts-'))
  })

  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  })

  it('are valid rules', () => {
    const { isGood, output } = run('check', 'rules', '--lint=all', '--lint-fatal', ALERTS)
    expect(isGood, output).to.equal(true)
    expect(output).to.include(`SUCCESS: ${rules.length} rules found`)
  })

  it('are the same in the object for the Prometheus operator', () => {
    const { spec } = parse(readFileSync('docs/monitoring/prometheus-rule.yaml', 'utf8')) as { readonly spec: Rules }
    expect(spec.groups.flatMap((group) => group.rules)).to.deep.equal(rules)
  })

  it('are refused where an expression cannot be parsed', () => {
    const [rule] = rules
    const broken = writeRules([{ ...rule, expr: 'sum by (kind) (rolebook_leader' }])
    expect(run('check', 'rules', broken).output).to.include('could not parse expression')
  })

  it('stand beside a dashboard whose queries are valid, too', () => {
    const queries = queryRules()
    const { isGood, output } = run('check', 'rules', writeRules(queries))
    expect(isGood, output).to.equal(true)
    expect(output).to.include(`SUCCESS: ${queries.length} rules found`)
    expect(queries).to.have.length.above(15)
  })

  it('have a case each in which they fire, and one in which they are silent', () => {
    const withCase = (cases: readonly AlertCase[]) => [...new Set(cases.map(({ alert }) => alert))]
    const names = rules.map(({ alert }) => alert)
    expect(withCase(ALERT_CASES.filter(({ firing }) => firing))).to.deep.equal(names)
    expect(withCase(ALERT_CASES.filter(({ firing }) => !firing))).to.deep.equal(names)
  })

  for (const one of ALERT_CASES) {
    it(`${one.alert} ${one.firing ? 'fires' : 'is silent'} when ${one.when}`, () => {
      const { isGood, output } = tryCases([one], resolve(ALERTS))
      expect(isGood, output).to.equal(true)
    })
  }

  for (const { name, mutate } of MUTANTS) {
    for (const { alert } of rules) {
      it(`${alert} ${name} fails its cases`, () => {
        const file = writeRules(rules.map((rule) => (rule.alert === alert ? mutate(rule) : rule)))
        const { isGood, output } = tryCases(
          ALERT_CASES.filter((one) => one.alert === alert),
          file,
        )
        expect(isGood, output).to.equal(false)
        expect(output).to.include(`alertname: ${alert}`)
      })
    }
  }

  function run(...args: readonly string[]): Verdict {
    const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: 'utf8' })
    return { isGood: status === 0, output: `${stdout}${stderr}` }
  }

  function tryCases(cases: readonly AlertCase[], ruleFile: string): Verdict {
    const file = join(folder, 'cases.yaml')
    writeFileSync(file, stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests: cases.map(unitTest) }))
    return run('test', 'rules', file)
  }

  function unitTest({ alert, when, series, silentAt, firing }: AlertCase) {
    const silent = silentAt.map((minute) => ({ eval_time: `${minute}m`, alertname: alert, exp_alerts: [] }))
    const { at = [], labels, summary } = firing ?? {}
    const rule = rules.find((one) => one.alert === alert)
    const expected = {
      exp_labels: { ...OPERATOR, ...labels, ...rule?.labels },
      exp_annotations: { ...rule?.annotations, summary },
    }
    const fires = at.map((minute) => ({ eval_time: `${minute}m`, alertname: alert, exp_alerts: [expected] }))
    return {
      name: when,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [...silent, ...fires],
    }
  }

  function writeRules(written: readonly object[]): string {
    const file = join(folder, 'rules.yaml')
    writeFileSync(file, stringify({ groups: [{ name: 'rolebook', rules: written }] }))
    return file
  }
})

/** The queries of the dashboard as rules that record them, with what Grafana puts in the place of its variables. */
function queryRules(): readonly object[] {
  const { panels } = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')) as {
    readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
  }
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  return queries.map((expr, index) => ({ record: `query:${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
}
