import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../src/core/base/json.ts'
import { parseYaml } from '../../src/core/yaml/parse-yaml.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import { checkCommand } from '../../src/rolebook/cli/commands/check.ts'
import { migrateCommand } from '../../src/rolebook/cli/commands/migrate.ts'
import { testCommand } from '../../src/rolebook/cli/commands/test.ts'
import { findTestFiles } from '../../src/rolebook/role-test/find-test-files.ts'
import { long } from '../support/long-tests.ts'
import { type CommandResult, runCommand, runInProject } from '../support/run-in-project.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../examples')
const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const names = folders.map(({ name }) => name).sort()

function migrate(from: string, output: string): Promise<CommandResult> {
  return runCommand(migrateCommand, 'ansible', from, '--output', output)
}

/** `fail` alone does nothing that could be counted. */
function stepsWithoutWrites(roles: string): readonly string[] {
  return findTestFiles(roles).flatMap(({ path }) => {
    const { documents } = parseYaml(new SourceFile(path, readFileSync(path, 'utf8')))
    const tests = documents.map(({ value }) => value as { readonly steps: readonly JsonObject[] })
    const steps = tests.flatMap((test) => test.steps)
    return steps.filter(({ writes, fail }) => writes === undefined && fail === undefined).map(() => path)
  })
}

/** Everything below a folder that `rolebook migrate` writes. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !path.includes('/tests/'))
    .sort()
}

describe('the examples', function () {
  this.timeout(60_000)
  const temporary = temporaryFolder()
  after(() => temporary.remove())

  it('are listed on their page, in order', () => {
    const page = readFileSync(join(root, 'README.md'), 'utf8')
    const rows = [...page.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \|/gm)]
    expect(rows.map(([, text]) => text)).to.deep.equal(names)
    expect(rows.map(([, , target]) => target)).to.deep.equal(names)
  })

  long.it('12-from-ansible: is what the migration makes of the Ansible operator beside it', async () => {
    const folder = join(root, '12-from-ansible')
    const output = temporary.path
    const { code, stdout } = await migrate(join(folder, 'ansible'), output)
    expect(code, stdout).to.equal(0)
    const made = filesIn(output)
    expect(['watches.yaml', ...filesIn(join(folder, 'roles')).map((path) => join('roles', path))].sort()).to.deep.equal(
      made,
    )
    for (const path of made) {
      expect(readFileSync(join(folder, path), 'utf8'), path).to.equal(readFileSync(join(output, path), 'utf8'))
    }
  })

  for (const name of names) {
    const folder = join(root, name)

    it(`${name}: has a page whose links lead somewhere`, () => {
      const page = readFileSync(join(folder, 'README.md'), 'utf8')
      expect(page).to.include(`cd examples/${name}\n`)
      const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map((match) => match[1] ?? '')
      expect(links).to.include('watches.yaml')
      expect(links.filter((link) => !existsSync(join(folder, link)))).to.deep.equal([])
    })

    it(`${name}: has nothing that check finds`, async () => {
      const { code, stdout } = await runInProject(checkCommand, folder, '--strict')
      expect(stdout).to.equal('')
      expect(code).to.equal(0)
    })

    long.it(`${name}: passes its tests, which reach every task and count every write`, async () => {
      const { code, stdout, stderr } = await runInProject(testCommand, folder, '--coverage')
      expect(code, stdout + stderr).to.equal(0)
      const [, passed] = /(\d+) passed, 0 failed/.exec(stdout) ?? []
      expect(Number(passed)).to.be.at.least(1)
      for (const [line, reached, all] of stdout.matchAll(/^coverage of .*: (\d+) of (\d+) tasks run$/gm)) {
        expect(reached, line).to.equal(all)
      }
      expect(stdout).to.match(/^coverage of /m)
      expect(stepsWithoutWrites(join(folder, 'roles'))).to.deep.equal([])
    })
  }
})
