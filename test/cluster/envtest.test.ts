/**
 * Tests in Go start servers for themselves from a folder that `rolebook envtest` wrote: the one on the page, and suites of
 * other projects, whose specs all pass on the real binaries.
 */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { env, execPath, stderr } from 'node:process'
import { expect } from 'chai'
import { missingForClients } from '../control-plane/clients.ts'
import { buildProgram, go } from '../control-plane/go-build.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONGEST_MS = 600_000
/** Of one program: the slowest takes a minute and a half. */
const PROGRAM_MS = 240_000

/** Some specs race with an informer of their own: on a busy machine they may need another try, on any server. */
const GINKGO = ['-ginkgo.no-color', '-ginkgo.seed=1', '-ginkgo.flake-attempts=3']

/** The last line of a suite that ran to its end. */
const SUMMARY = /(\d+) Passed \| (\d+) Failed/

interface GoProject {
  /** The folder in `test/control-plane` that pins its version. */
  readonly module: string
  readonly path: string
  /** By package: how many specs run, and pass on the real binaries. */
  readonly suites: Readonly<Record<string, number>>
}

const PROJECTS: readonly GoProject[] = [
  {
    module: 'envtest',
    path: 'sigs.k8s.io/controller-runtime',
    suites: {
      'pkg/client': 296,
      'pkg/cache': 276,
      'pkg/controller': 32,
      'pkg/manager': 106,
      'pkg/builder': 72,
      'pkg/webhook': 8,
      'pkg/envtest': 28,
    },
  },
  { module: 'projects', path: 'sigs.k8s.io/lws', suites: { 'test/integration/webhooks': 71 } },
  { module: 'projects', path: 'sigs.k8s.io/jobset', suites: { 'test/integration/webhook': 24 } },
  { module: 'projects', path: 'sigs.k8s.io/kueue', suites: { 'test/integration/singlecluster/webhook/core': 194 } },
]

describe('tests of Go projects', function () {
  this.timeout(LONGEST_MS)
  const folder = temporaryFolder()
  let assets = ''

  before(function () {
    const missing = missingForClients()
    if (missing !== undefined) {
      stderr.write(`SKIPPED: tests of Go projects must be built, and ${missing}\n`)
      this.skip() // without Go there is nothing to run
    }
    const program = join(builtProgram(), 'rolebook.mjs')
    const { stdout } = spawnSync(execPath, [program, 'envtest', folder.at('assets')], { encoding: 'utf8' })
    assets = stdout.trim()
  })
  after(() => folder.remove())

  const run = (program: string, cwd: string, ...args: readonly string[]) =>
    spawnSync(program, args, {
      cwd,
      env: { ...env, KUBEBUILDER_ASSETS: assets },
      encoding: 'utf8',
      timeout: PROGRAM_MS,
    })
  /**
   * A suite that ends without its summary runs once more. Two were seen to do so, both by races of their own:
   * a spec that waits for ever, and a webhook server that starts before the one of the spec before it has left the port,
   * in a goroutine without `GinkgoRecover`, whose assertion then ends the program.
   */
  const runSuite: typeof run = (...call) => {
    const first = run(...call)
    if (SUMMARY.test(first.stdout)) return first
    stderr.write(`TRIED AGAIN: ${basename(call[0])} ended without a summary:\n${first.stderr.slice(0, 2000)}\n`)
    return run(...call)
  }

  it('run the one that is on the page', () => {
    const program = buildProgram('labels.test', { module: 'envtest', package: '.', isTest: true })
    const { status, stdout } = run(program, folder.path, '-test.v')
    expect(status, stdout).to.equal(0)
    expect(stdout).to.match(/--- PASS: TestController\/refuses_a_name/)
  })

  for (const { module, path, suites } of PROJECTS) {
    describe(`of ${path}`, () => {
      let source = ''
      before(() => {
        go(module, 'mod', 'download', path)
        // Specs write beside their sources, which the cache of Go is not for.
        source = folder.at(basename(path))
        cpSync(go(module, 'list', '-m', '-f', '{{.Dir}}', path), source, { recursive: true })
      })

      for (const [name, specs] of Object.entries(suites)) {
        it(`pass in ${name}, as on the real binaries`, () => {
          const place = { module, package: `./${name}`, folder: source, isTest: true }
          const program = buildProgram(`${basename(path)}-${name.replaceAll('/', '-')}.test`, place)
          const { stdout, stderr: errors } = runSuite(program, join(source, name), ...GINKGO)
          const [, passed, failed] = SUMMARY.exec(stdout) ?? []
          const message = `${stdout.slice(-5000)}\n${errors.slice(0, 2000)}`
          expect([Number(passed), Number(failed)], message).to.deep.equal([specs, 0])
        })
      }
    })
  }
})
