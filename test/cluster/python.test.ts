/** Tests in Python run on the sandbox: those on the page, with the official client and kopf from PyPI. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stderr } from 'node:process'
import { expect } from 'chai'
import { installProgram } from '../support/install-program.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LONGEST_MS = 300_000
const REQUIREMENTS = join(import.meta.dirname, '../control-plane/python/requirements.txt')
const PAGE = readFileSync('docs/python.md', 'utf8')
/** The files of the page: a heading that is a name, and the block after it. */
const FILES = [...PAGE.matchAll(/^## (\S+\.py)\n[^#]*?```python\n([\s\S]*?)```$/gm)]

describe('tests in Python', function () {
  this.timeout(LONGEST_MS)
  const folder = temporaryFolder()
  const python = folder.at('venv/bin/python')

  before(function () {
    if (spawnSync('python3', ['-m', 'venv', folder.at('venv')]).status !== 0) {
      stderr.write('SKIPPED: tests in Python need python3 with venv\n')
      this.skip() // without Python there is nothing to run
    }
    const installed = spawnSync(python, ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS], { encoding: 'utf8' })
    expect(installed.status, installed.stderr).to.equal(0)
    for (const [, name = '', text = ''] of FILES) folder.write(name, text)
    installProgram(folder)
  })
  after(() => folder.remove())

  it('are on the page', () => {
    expect(FILES.map(([, name]) => name)).to.deep.equal(['conftest.py', 'operator_of_notes.py', 'test_notes.py'])
  })

  it('pass on the sandbox, with the official client and with kopf', () => {
    const options = { cwd: folder.path, encoding: 'utf8', timeout: LONGEST_MS } as const
    const { status, stdout, stderr: errors } = spawnSync(python, ['-m', 'pytest', '-q'], options)
    expect(status, `${stdout}${errors}`).to.equal(0)
    expect(stdout).to.include('2 passed')
  })
})
