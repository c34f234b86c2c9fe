import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { YAML_ERRORS } from '../../../src/core/yaml/yaml-errors.ts'
import { FUNCTION_ERRORS } from '../../../src/engine/role/functions/function-errors.ts'
import { ROLE_ERRORS } from '../../../src/engine/role/role-errors.ts'
import { TASK_ERRORS } from '../../../src/engine/tasks/task-errors.ts'
import { FAULT_ERRORS } from '../../../src/rolebook/cli/faults/fault-errors.ts'
import { CONFIG_ERRORS } from '../../../src/rolebook/config/config-errors.ts'
import { MIGRATE_ERRORS } from '../../../src/rolebook/migrate/migrate-errors.ts'
import { TEST_ERRORS } from '../../../src/rolebook/role-test/test-errors.ts'
import { TRIAL_ERRORS } from '../../../src/rolebook/trial/trial-errors.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
const CATALOGUE: Readonly<Record<string, string>> = {
  ...YAML_ERRORS,
  ...ROLE_ERRORS,
  ...CONFIG_ERRORS,
  ...TASK_ERRORS,
  ...FAULT_ERRORS,
  ...TEST_ERRORS,
  ...MIGRATE_ERRORS,
  ...TRIAL_ERRORS,
}

/** Codes in quotes in the source, without the catalogues themselves. */
function codesIn(folders: readonly string[], pattern: RegExp): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(root, 'src', folder, file)),
  )
  const codes = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, code]) => code ?? ''))
  return [...new Set(codes)].sort()
}

describe('docs/errors.md', () => {
  it('has a section for every code, with its title, in order', () => {
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).to.deep.equal(Object.entries(CATALOGUE).map(([code, title]) => `${code}: ${title}`))
  })

  it('says cause and remedy of every code', () => {
    expect(page.match(/^\*\*Cause\.\*\* .*\.$/gm)).to.have.length(Object.keys(CATALOGUE).length)
    expect(page.match(/^\*\*Remedy\.\*\* .*\.$/gm)).to.have.length(Object.keys(CATALOGUE).length)
  })

  it('has an example of every code', () => {
    const sections = page.split(/^### /m).slice(1)
    const missing = sections.filter((section) => !section.includes(`\n**Example.**\n\n\`\`\`text\n`))
    expect(missing.map((section) => section.slice(0, 6))).to.deep.equal([])
    for (const section of sections) expect(section.split('**Example.**')[1]).to.include(section.slice(0, 6))
  })

  it('knows every code that the source reports, and no other', () => {
    expect(codesIn(['core', 'engine', 'rolebook'], /'(RB\d{4})'/g)).to.deep.equal(Object.keys(CATALOGUE).sort())
  })

  it('lists every code of a run', () => {
    const listed = [...page.matchAll(/^\| (E\d{4}) \| \S.* \| \S.* \|$/gm)].map(([, code]) => code)
    expect(listed).to.deep.equal(codesIn(['engine/expression', 'engine/role'], /'?\b(E\d{4})\b'?/g))
    expect(listed).to.include.members(Object.keys(FUNCTION_ERRORS))
  })
})
