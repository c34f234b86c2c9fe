/** The workflows on the page on GitHub Actions: their steps run one after the other, as the runner would run them. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { env, execPath, stderr } from 'node:process'
import { expect } from 'chai'
import { parse } from 'yaml'
import { missingForClients } from '../control-plane/clients.ts'
import { packBuiltProgram } from '../package/pack.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONGEST_MS = 300_000
const PAGE = readFileSync('docs/github-actions.md', 'utf8')
const GO_PROJECT = join(import.meta.dirname, '../control-plane/envtest')
const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }
`

interface Step {
  readonly name?: string
  readonly if?: string
  readonly run?: string
}

interface Workflow {
  readonly name: string
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}

/** Steps alone are those of the action of rolebook: `test/cluster/action.test.ts`. */
const WORKFLOWS = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)```$/gm)]
  .map(([, text = '']) => parse(text) as Workflow)
  .filter(({ jobs }) => jobs !== undefined)
const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps)

describe('the workflows of the page on GitHub Actions', function () {
  this.timeout(LONGEST_MS)
  const packed = temporaryFolder()
  let tarball = ''

  before(function () {
    const missing = missingForClients()
    if (missing !== undefined) {
      stderr.write(`SKIPPED: workflows test a Go project, and ${missing}\n`)
      this.skip() // without Go and kubectl there is nothing to run
    }
    tarball = packBuiltProgram(packed)
  })
  after(() => packed.remove())

  it('are two', () => expect(WORKFLOWS.map(({ name }) => name)).to.deep.equal(['Manifests', 'Tests']))

  it('have only actions that the workflows of rolebook use', () => {
    const own = readFileSync('.github/workflows/ci.yml', 'utf8')
    const used = [...PAGE.matchAll(/uses: (?!OWNER\/)(\S+)/g)].map(([, action]) => action)
    for (const action of used) expect(own).to.include(`uses: ${action}\n`)
  })

  for (const workflow of WORKFLOWS) {
    it(`run: ${workflow.name}`, () => {
      const runner = new Runner(tarball)
      try {
        for (const step of stepsOf(workflow)) {
          if (step.run !== undefined && step.if === undefined) runner.run(step.run)
        }
        // What is for failures alone works, too.
        for (const step of stepsOf(workflow))
          if (step.run !== undefined && step.if === 'failure()') runner.run(step.run)
      } finally {
        runner.stop()
      }
    })
  }
})

/** As the other Go programs of the tests are built, so that what they have in common is compiled once. */
const AS_OTHERS = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -vet=off' }

/** A folder that was checked out, and what the runner of GitHub gives to its steps. */
class Runner {
  readonly #folder = temporaryFolder()
  readonly #tarball: string
  #env: NodeJS.ProcessEnv

  constructor(tarball: string) {
    this.#tarball = tarball
    const prefix = this.#folder.at('prefix')
    this.#env = {
      ...env,
      ...AS_OTHERS,
      PATH: [join(prefix, 'bin'), dirname(execPath), env.PATH].join(delimiter),
      npm_config_prefix: prefix,
      npm_config_offline: 'true',
      RUNNER_TEMP: this.#folder.at('temp'),
      GITHUB_ENV: this.#folder.write('github-env', ''),
    }
    this.#folder.write('checkout/manifests/web.yaml', WEB)
    cpSync(GO_PROJECT, this.#folder.at('checkout'), { recursive: true })
  }

  /** As `bash -e`, in the place where the sources are. What a step writes to `GITHUB_ENV`, later ones have. */
  run(script: string): void {
    const local = script.replace('--global rolebook', `--global ${this.#tarball}`)
    const options = { cwd: this.#folder.at('checkout'), env: this.#env, encoding: 'utf8', timeout: LONGEST_MS } as const
    const { status, stdout, stderr: errors } = spawnSync('bash', ['-e', '-c', local], options)
    expect(status, `${script}\n${stdout}${errors}`).to.equal(0)
    const lines = readFileSync(this.#folder.at('github-env'), 'utf8').split('\n').filter(Boolean)
    const variables = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    this.#env = { ...this.#env, ...Object.fromEntries(variables) }
  }

  /** The runner ends all processes of a job; here it is what the job left running. */
  stop(): void {
    const kubeconfig = this.#env.KUBECONFIG ?? ''
    if (existsSync(kubeconfig))
      spawnSync('rolebook', ['sandbox', 'stop', '--kubeconfig', kubeconfig], { env: this.#env })
    this.#folder.remove()
  }
}
