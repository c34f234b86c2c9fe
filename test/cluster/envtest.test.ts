/**
 * Tests in Go start servers for themselves from a folder that `rolebook envtest` wrote: the one on the page, and those of
 * controller-runtime, which say the same of the real binaries.
 */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath, stderr } from 'node:process'
import { expect } from 'chai'
import { missingForClients } from '../control-plane/clients.ts'
import { buildProgram, go } from '../control-plane/go-build.ts'
import { builtProgram } from '../support/built-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const MODULE = 'envtest'
const LONGEST_MS = 600_000

/** Some specs race with an informer of their own: on a busy machine they may need another try, on any server. */
const GINKGO = ['-ginkgo.no-color', '-ginkgo.seed=1', '-ginkgo.flake-attempts=3']

/** Of controller-runtime 0.24.1: how many specs of a package run, and pass on the real binaries. */
const SUITES: readonly { readonly name: string; readonly specs: number }[] = [
  { name: 'client', specs: 296 },
  { name: 'cache', specs: 276 },
  { name: 'controller', specs: 32 },
  { name: 'manager', specs: 106 },
  { name: 'builder', specs: 72 },
  { name: 'webhook', specs: 8 },
  { name: 'envtest', specs: 28 },
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
      timeout: LONGEST_MS,
    })

  it('run the one that is on the page', () => {
    const program = buildProgram('labels.test', { module: MODULE, package: '.', isTest: true })
    const { status, stdout } = run(program, folder.path, '-test.v')
    expect(status, stdout).to.equal(0)
    expect(stdout).to.match(/--- PASS: TestController\/refuses_a_name/)
  })

  describe('of controller-runtime', () => {
    let source = ''
    before(() => {
      // Specs write beside their sources, which the cache of Go is not for.
      source = folder.at('controller-runtime')
      cpSync(go(MODULE, 'list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/controller-runtime'), source, { recursive: true })
    })

    for (const { name, specs } of SUITES) {
      it(`pass in ${name}, as on the real binaries`, () => {
        const place = { module: MODULE, package: `./pkg/${name}`, folder: source, isTest: true }
        const program = buildProgram(`controller-runtime-${name}.test`, place)
        const { stdout } = run(program, join(source, 'pkg', name), ...GINKGO)
        const [, passed, failed] = /(\d+) Passed \| (\d+) Failed/.exec(stdout) ?? []
        expect({ passed: Number(passed), failed: Number(failed) }, stdout.slice(-5000)).to.deep.equal({
          passed: specs,
          failed: 0,
        })
      })
    }
  })
})
