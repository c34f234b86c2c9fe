/** `action.yml`: its steps run one after the other, as the runner of GitHub would run them. The runner itself and `gh` are stand-ins. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { env, execPath } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'
import { packBuiltProgram } from '../package/pack.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

interface Step {
  readonly name?: string
  readonly uses?: string
  readonly if?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly run?: string
  readonly 'working-directory'?: string
}

type Values = Readonly<Record<string, string>>

const ACTION = parse(readFileSync('action.yml', 'utf8')) as Action
const PROJECT = 'examples/01-config-hash'
const ROLE = readFileSync(join(PROJECT, 'roles/website/role.yaml'), 'utf8')
const PULL_REQUEST = { 'github.event.pull_request.number': '7', 'github.token': 'secret' }
/** It writes down what it was called with, and has the comments in `comments`. */
const GH = `#!/bin/sh
echo "$@" >> "$GH_FOLDER/calls"
case "$*" in *--jq*) cat "$GH_FOLDER/comments" ;; esac
`

describe('the action', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  const checkout = folder.at('checkout')
  /** What the cluster has. The sandbox follows it. */
  const deployed = folder.at('deployed')
  let sandbox: RolebookProcess
  let tarball = ''
  before(async () => {
    tarball = packBuiltProgram(folder)
    for (const copy of [checkout, deployed]) cpSync(PROJECT, copy, { recursive: true })
    chmodSync(folder.write('gh/gh', GH), 0o755)
    mkdirSync(folder.at('temp'))
    sandbox = new RolebookProcess(['sandbox', '--samples', '--kubeconfig', folder.at('kubeconfig')], { cwd: deployed })
    await sandbox.until('Ready=True', ({ stdout }) => stdout.includes('Ready=True'))
  })
  after(async () => {
    await sandbox?.stop()
    folder.remove()
  })

  it('has actions by their major version, and says the shell of each script', () => {
    for (const { uses, run, shell } of ACTION.runs.steps) {
      if (run === undefined) expect(uses).to.match(/^actions\/[\w-]+@v\d+$/)
      else expect(shell).to.equal('bash')
    }
  })

  it('has a row on its page for every input, with its default', () => {
    const page = readFileSync('docs/github-actions.md', 'utf8')
    for (const [name, input] of Object.entries(ACTION.inputs)) {
      const byDefault = name === 'token' ? 'that of the job' : `\`${input.default}\``
      expect(page).to.include(`| \`${name}\` | ${byDefault} |`)
    }
  })

  it('reads nothing of a pull request into a script, which would run it', () => {
    for (const { run = '' } of ACTION.runs.steps) expect(run).to.not.include('${{')
  })

  it('checks and tests by default', () => {
    expect(runAction({}).steps).to.deep.equal(['Install rolebook', 'Check', 'Test'])
  })

  it('fails where the check finds a mistake', () => {
    folder.write('broken/watches.yaml', 'group: example.com\n')
    const { status, printed } = runAction({ folder: '../broken', run: 'check' })
    expect(status).to.equal(3)
    expect(printed).to.match(/^::error file=broken\/watches\.yaml,line=1,/m)
  })

  it('shows what fails in a test at its line, by the path that the repository has', () => {
    cpSync(PROJECT, folder.at('failing'), { recursive: true })
    folder.write('failing/roles/website/role.yaml', ROLE.replace('nginx:1.29-alpine', 'nginx:changed'))
    folder.write(
      'failing/roles/website/tests/wrong.yaml',
      'given: [../samples/website.yaml]\nsteps:\n  - name: first\n    expect:\n      - { kind: ConfigMap, name: no-such }\n',
    )
    const { status, printed } = runAction({ folder: '../failing', run: 'test' })
    expect(status).to.equal(1)
    expect(printed).to.match(
      /^::error file=failing\/roles\/website\/tests\/wrong\.yaml,line=5,col=\d+,title=first%3A /m,
    )
  })

  it('comments what would change, and then changes its comment', () => {
    folder.write('gh/comments', '')
    folder.write('checkout/roles/website/role.yaml', ROLE.replace('nginx:1.29-alpine', 'nginx:changed'))
    const first = runAction({ run: 'diff' })
    expect(first.steps).to.deep.equal(['Install rolebook', 'Diff', 'Comment'])
    expect(first.outputs).to.equal('changes=true\n')
    expect(first.calls.at(-1)).to.match(/^api --method POST repos\/o\/r\/issues\/7\/comments --field body=@/)
    expect(first.summary).to.match(/^<!-- rolebook diff -->\n/)
    expect(first.summary).to.match(/^ {4}.*nginx:changed/m)
    folder.write('gh/comments', '42\n')
    expect(runAction({ run: 'diff' }).calls.at(-1)).to.match(
      /^api --method PATCH repos\/o\/r\/issues\/comments\/42 --field body=@/,
    )
  })

  it('says that nothing would change', () => {
    folder.write('checkout/roles/website/role.yaml', ROLE)
    expect(runAction({ run: 'diff' }).outputs).to.equal('changes=false\n')
  })

  it('writes no comment without a pull request, or where `comment` is false', () => {
    const steps = ['Install rolebook', 'Diff']
    expect(runAction({ run: 'diff' }, { 'github.token': 'secret' }).steps).to.deep.equal(steps)
    expect(runAction({ run: 'diff', comment: 'false' }).steps).to.deep.equal(steps)
  })

  function runAction(given: Values, context: Values = PULL_REQUEST) {
    const inputs = Object.entries(ACTION.inputs).map(([name, input]) => [`inputs.${name}`, input.default ?? ''])
    const values: Values = {
      ...Object.fromEntries(inputs),
      'inputs.package': tarball,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`inputs.${name}`, value])),
      ...context,
    }
    const environment = newEnvironment()
    const steps: string[] = []
    let status: number | null = 0
    let printed = ''
    for (const step of ACTION.runs.steps) {
      if (step.run === undefined || !isWanted(step.if, values) || status !== 0) continue
      steps.push(step.name ?? '')
      const ended = runStep(step, values, environment)
      status = ended.status
      printed += ended.stdout
    }
    const read = (name: string): string => readFileSync(folder.at(name), 'utf8')
    const calls = read('gh/calls').split('\n').filter(Boolean)
    return { status, printed, steps, calls, outputs: read('outputs'), summary: read('summary') }
  }

  function newEnvironment(): NodeJS.ProcessEnv {
    return {
      ...env,
      PATH: [folder.at('gh'), folder.at('prefix/bin'), dirname(execPath), env.PATH].join(delimiter),
      npm_config_prefix: folder.at('prefix'),
      npm_config_offline: 'true',
      GH_FOLDER: folder.at('gh'),
      GITHUB_OUTPUT: folder.write('outputs', ''),
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_WORKSPACE: folder.path,
      GITHUB_STEP_SUMMARY: folder.write('summary', ''),
      KUBECONFIG: folder.at('kubeconfig'),
      RUNNER_TEMP: folder.at('temp'),
      ...(folder.write('gh/calls', '') && {}),
    }
  }

  function runStep(step: Step, values: Values, environment: NodeJS.ProcessEnv) {
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filledIn(text, values)])
    const cwd = join(checkout, filledIn(step['working-directory'] ?? '.', values))
    const options = { cwd, env: { ...environment, ...Object.fromEntries(own) }, encoding: 'utf8' } as const
    return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], options)
  }
})

/** `${{ inputs.run }}` in a text. */
function filledIn(text: string, values: Values): string {
  return text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => values[name] ?? '')
}

/** Conditions as the action has them: parts that must all be true. */
function isWanted(condition: string | undefined, values: Values): boolean {
  return (condition?.split(' && ') ?? []).every((part) => {
    const contained = /^contains\(([\w.]+), '(\w+)'\)$/.exec(part)
    if (contained) return values[contained[1] ?? '']?.includes(contained[2] ?? '')
    const equal = /^([\w.]+) == '(\w+)'$/.exec(part)
    if (equal) return values[equal[1] ?? ''] === equal[2]
    return (values[part] ?? '') !== ''
  })
}
