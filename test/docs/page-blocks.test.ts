import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { printDiagnostics } from '../../src/core/yaml/print-diagnostics.ts'
import { printYaml } from '../../src/core/yaml/print-yaml.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../src/rolebook/config/load-project.ts'
import { crd } from '../support/operator-sandbox.ts'
import { ProjectFolder } from '../support/project-folder.ts'
import { blocksOf, blocksToRun, commandsOf, isRun, NOT_RUN, PAGES, RUN_AS_A_WHOLE } from './page-blocks.ts'

const WATCHES = '- { group: example.com, version: v1, kind: Website, role: website }\n'
const CRD = printYaml([crd({ group: 'example.com', version: 'v1', kind: 'Website' })])
const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n'

/** Blocks that look like a role and are none, by a line of them. */
const SKETCHES: Readonly<Record<string, string>> = {
  'order: data  # the default; `sequential`: tasks run one after the other': 'names the keys of a role, without values',
  '    ensure: { apiVersion: batch/v1, kind: Job, … }': 'is about the order of tasks, and leaves their objects out',
}

const all = PAGES.flatMap((page) => blocksOf(page))
const roles = all.filter(({ page, language, text }) => {
  return language === 'yaml' && /^tasks:/m.test(text) && !(page in RUN_AS_A_WHOLE)
})
const isSketch = (text: string): boolean => text.split('\n').some((line) => line in SKETCHES)

/** What `rolebook check` says against a role, whatever the fields of its kind are. */
async function faultsOf(text: string): Promise<string> {
  const folder = await ProjectFolder.create({
    'watches.yaml': WATCHES,
    'roles/website/crd.yaml': CRD,
    'roles/website/role.yaml': text,
    'roles/website/charts/tomcat/Chart.yaml': CHART,
  })
  try {
    const { diagnostics } = await loadProject({ ...folder.options, kinds: builtinTaskKinds })
    return printDiagnostics(diagnostics)
  } finally {
    await folder.delete()
  }
}

describe('the commands of the pages', () => {
  it('are run where it is said that they are', () => {
    for (const [page, test] of Object.entries(RUN_AS_A_WHOLE)) expect(readFileSync(test, 'utf8'), test).to.include(page)
    const staged = PAGES.flatMap(blocksToRun)
    expect(staged.length).to.be.greaterThan(30)
  })

  it('are left out for a reason that holds for one of them, and names tests that are there', () => {
    const commands = all.flatMap(commandsOf)
    for (const { command, reason } of NOT_RUN) {
      expect(
        commands.some((one) => command.test(one)),
        String(command),
      ).to.equal(true)
      for (const [path] of reason.matchAll(/test\/[\w/.-]*\w/g)) expect(existsSync(path), path).to.equal(true)
    }
  })

  it('are run unless something excuses them', () => {
    const [block] = blocksOf(
      'docs/new.md',
      'Text.\n\n   ```console\n   $ rolebook check   # all\n   0 errors\n   ```\n',
    )
    expect(block).to.include({ line: 3, language: 'console' })
    expect(block && commandsOf(block).filter(isRun)).to.deep.equal(['rolebook check'])
  })

  it('stand in blocks that say so', () => {
    const unmarked = all.filter(({ language, text }) => language === '' && /^(?:\$ |npx |kubectl |npm )/m.test(text))
    expect(unmarked.map(({ page, line }) => `${page}:${line}`)).to.deep.equal([])
  })
})

describe('the roles of the pages', () => {
  for (const { page, line, text } of roles.filter((role) => !isSketch(role.text))) {
    it(`are without a mistake: ${page}:${line}`, async () => expect(await faultsOf(text)).to.equal(''))
  }

  it('are sketches where it is said that they are', () => {
    const lines = new Set(roles.flatMap(({ text }) => text.split('\n')))
    expect(Object.keys(SKETCHES).filter((line) => !lines.has(line))).to.deep.equal([])
  })
})
