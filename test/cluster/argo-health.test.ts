/** The script with which Argo CD judges resources, from the page on operations, run by the interpreter that Argo CD has. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stderr } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'
import { buildProgram, hasGo } from '../control-plane/go-build.ts'

const PAGE = readFileSync('docs/operations.md', 'utf8')
const SCRIPT = scriptOf(PAGE)

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

const is = (type: string): Condition => ({ type, status: 'True', reason: type, message: `is ${type}` })
const notReady = (reason: string): Condition => ({ type: 'Ready', status: 'False', reason, message: `is ${reason}` })
/** The status of a resource whose generation is 2. */
const seen = (...conditions: readonly Condition[]): object => ({ observedGeneration: 2, conditions })

interface Health {
  readonly status?: string
  readonly message?: string
  readonly error?: string
}

interface ResourceCase {
  readonly name: string
  readonly status?: object
  readonly health: Health
  /** The row of the table below the script that says the same. */
  readonly row?: string
}

const CASES: readonly ResourceCase[] = [
  { name: 'no status yet', health: { status: 'Progressing', message: 'the operator has not seen it yet' } },
  {
    name: 'a status without conditions',
    status: { observedGeneration: 2 },
    health: { status: 'Progressing', message: 'the operator has not seen it yet' },
  },
  {
    name: 'ready',
    status: seen(is('Ready')),
    health: { status: 'Healthy', message: 'is Ready' },
    row: '`Ready=True`',
  },
  {
    name: 'ready, of another spec',
    status: { observedGeneration: 1, conditions: [is('Ready')] },
    health: { status: 'Progressing', message: 'the operator has not seen it yet' },
    row: '`observedGeneration` is not the present one',
  },
  {
    name: 'waiting',
    status: seen(notReady('Waiting'), is('Reconciling')),
    health: { status: 'Progressing', message: 'is Waiting' },
    row: '`Ready=False`, `Reconciling=True`',
  },
  {
    name: 'stalled',
    status: seen(notReady('Failed'), is('Stalled')),
    health: { status: 'Degraded', message: 'is Stalled' },
    row: '`Ready=False`, `Stalled=True`',
  },
  {
    name: 'no longer stalled',
    status: seen(is('Ready'), { ...is('Stalled'), status: 'False' }),
    health: { status: 'Healthy', message: 'is Ready' },
  },
  {
    name: 'paused',
    status: seen(notReady('Paused')),
    health: { status: 'Suspended', message: 'is Paused' },
    row: '`Ready=False` with the reason `Paused`',
  },
]

/** Scripts with one change, each of which some case must notice. */
const MUTANTS: readonly (readonly [string, string])[] = [
  ['status.conditions == nil', 'false'],
  ['status.observedGeneration ~= obj.metadata.generation', 'false'],
  ['condition.type == "Stalled" and condition.status == "True"', 'condition.type == "Stalled"'],
  ['"Degraded"', '"Progressing"'],
  ['message = condition.message }', 'message = "" }'],
  ['health.message = condition.message', ''],
  ['"Healthy"', '"Progressing"'],
  ['"Suspended"', '"Degraded"'],
  ['return health\n', '\n'],
]

/** The script of the ConfigMap on the page. */
function scriptOf(page: string): string {
  const [, manifest = ''] =
    /^```yaml\n(apiVersion: v1\nkind: ConfigMap\nmetadata: \{ name: argocd-cm[\s\S]*?)^```$/m.exec(page) ?? []
  const customizations = parse(parse(manifest).data['resource.customizations'])
  return customizations['example.com/*']['health.lua']
}

describe('the health of resources in Argo CD', function () {
  this.timeout(10 * 60_000)
  let program: string

  before(function () {
    if (!hasGo()) {
      stderr.write('SKIPPED: the script for Argo CD: its interpreter is a Go module, and Go is not on the path\n')
      this.skip() // without Go there is no interpreter
    }
    program = buildProgram('argo-health', { module: 'argo-health', package: '.' })
  })

  function judge(script: string, statuses: readonly (object | undefined)[]): readonly Health[] {
    const metadata = { name: 'blog', generation: 2 }
    const lines = statuses.map((status) => JSON.stringify({ script, object: { metadata, status } }))
    const output = execFileSync(program, { input: lines.join('\n'), encoding: 'utf8' })
    return output
      .trim()
      .split('\n')
      .map((line): Health => JSON.parse(line))
  }

  for (const { name, status, health } of CASES) {
    it(`is ${health.status}: ${name}`, () => expect(judge(SCRIPT, [status])).to.deep.equal([health]))
  }

  it('is what the table of the page says', () => {
    const rows = [...PAGE.matchAll(/^\| (.+) \| (?:ready|failed|in progress) \| (\w+) \|$/gm)]
    const said = rows.map(([, conditions, health]) => [conditions, health])
    const cases = CASES.filter(({ row }) => row !== undefined).map(({ row, health }) => [row, health.status])
    expect(said).to.have.deep.members(cases)
  })

  for (const [text, instead] of MUTANTS) {
    it(`is another one where \`${text.trim()}\` becomes \`${instead.trim() || 'nothing'}\``, () => {
      const at = SCRIPT.lastIndexOf(text)
      expect(at).to.be.at.least(0)
      const mutant = SCRIPT.slice(0, at) + instead + SCRIPT.slice(at + text.length)
      const verdicts = judge(
        mutant,
        CASES.map(({ status }) => status),
      )
      expect(verdicts).to.not.deep.equal(CASES.map(({ health }) => health))
    })
  }

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['uses a library that Argo CD does not open', 'return { status = string.upper("healthy") }', /string/],
    ['returns no table', 'return "Healthy"', /must return a table/],
    ['never ends', 'while true do end', /deadline exceeded/],
  ]
  for (const [what, script, error] of refused) {
    it(`is an error where a script ${what}`, () => expect(judge(script, [undefined])[0]?.error).to.match(error))
  }

  it('is Unknown where a script invents a word', () => {
    expect(judge('return { status = "Fine" }', [undefined])[0]?.status).to.equal('Unknown')
  })
})
