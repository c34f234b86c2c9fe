/** Tests in Java run on the sandbox: those on the page, with both clients and kube-api-test from Maven. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { arch, env, platform, stderr } from 'node:process'
import { expect } from 'chai'
import { installProgram } from '../support/install-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONGEST_MS = 300_000
const POM = readFileSync(join(import.meta.dirname, '../control-plane/java/pom.xml'), 'utf8')
const PAGE = readFileSync('docs/java.md', 'utf8')
/** The files of the page: a heading that is a path, and the block after it. */
const FILES = [...PAGE.matchAll(/^### (\S+\.java)\n[^#]*?```java\n([\s\S]*?)```$/gm)]
const DEPENDENCIES = [...PAGE.matchAll(/^```xml\n([\s\S]*?)```$/gm)].map(([, block]) => block).join('')
/** The name that the page gives to the folder on this machine. */
const ASSETS = `1.36.0-${platform}-${arch === 'x64' ? 'amd64' : arch}`

describe('tests in Java', function () {
  this.timeout(LONGEST_MS)
  const folder = temporaryFolder()

  before(function () {
    const missing = ['mvn', 'javac', 'kubectl'].filter((name) => spawnSync('which', [name]).status !== 0)
    if (missing.length > 0) {
      stderr.write(`SKIPPED: tests in Java need ${missing.join(', ')}\n`)
      this.skip() // without Java there is nothing to run
    }
    folder.write('pom.xml', POM.replace(/<!--.*-->/, DEPENDENCIES))
    for (const [, path = '', text = ''] of FILES) folder.write(path, text)
    installProgram(folder)
  })
  after(() => folder.remove())

  const run = (program: string, ...args: readonly string[]) =>
    spawnSync(program, args, {
      cwd: folder.path,
      env: { ...env, KUBE_API_TEST_DIR: folder.at('target/kube-api-test') },
      encoding: 'utf8',
      timeout: LONGEST_MS,
    })

  it('are on the page', () => {
    expect(FILES.map(([, path = '']) => path.split('/').at(-1))).to.deep.equal([
      'NoteTest.java',
      'Sandbox.java',
      'DeploymentTest.java',
    ])
    expect(PAGE).to.include('KUBE_API_TEST_DIR=$PWD/target/kube-api-test\n')
    expect(PAGE).to.include(ASSETS)
  })

  it('pass on the sandbox, with both clients', () => {
    const written = run('node_modules/.bin/rolebook', 'envtest', `target/kube-api-test/k8s/${ASSETS}`)
    expect(written.status, written.stderr).to.equal(0)
    const { status, stdout, stderr: errors } = run('mvn', '--batch-mode', '--no-transfer-progress', 'test')
    expect(status, `${stdout}${errors}`).to.equal(0)
    expect(stdout).to.include('Tests run: 2, Failures: 0, Errors: 0, Skipped: 0')
  })
})
