import { expect } from 'chai'
import { TaskPlaces } from '../../../src/engine/role/parse/task-places.ts'
import { loadProject } from '../../../src/rolebook/config/load-project.ts'
import { tryProject } from '../../../src/rolebook/trial/try-project.ts'
import { long } from '../../support/long-tests.ts'
import { markedText } from '../../support/marked-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { checkRoleText, folderOptions, WEB_SAMPLE, writeWebProject } from '../../support/tried-role.ts'
import { RIGHT_REFERENCES, WRONG_REFERENCES } from './wrong-references.ts'
import { RIGHT_ROLES, WRONG_ROLES } from './wrong-roles.ts'

long.describe('the trial of a role', function () {
  this.timeout(60_000)

  for (const { name, code, tasks, says, also = [] } of [...WRONG_ROLES, ...WRONG_REFERENCES]) {
    it(`${code}: ${name}`, async () => {
      const { text, place } = markedText(`tasks:\n${tasks}`)
      const found = await checkRoleText(text)
      const printed = found.map((one) => `${one.code} ${one.line}:${one.column}`)
      expect(printed, found.map(({ message }) => message).join('\n')).to.include(`${code} ${place}`)
      const others = found.filter((one) => `${one.code} ${one.line}:${one.column}` !== `${code} ${place}`)
      expect(others.map((one) => one.code)).to.deep.equal(also)
      const { message, hint } = found.find((one) => one.code === code) ?? {}
      if (says !== undefined) expect(`${message} ${hint}`).to.include(says)
    })
  }

  for (const { name, tasks } of [...RIGHT_ROLES, ...RIGHT_REFERENCES]) {
    it(`says nothing against ${name}`, async () => {
      const found = await checkRoleText(`tasks:\n${tasks}`)
      expect(found.map(({ code, message }) => `${code} ${message}`)).to.deep.equal([])
    })
  }

  const CONFIG = '  - name: Config\n    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: '

  it('is an error where a sample shows it, and a warning where only the CRD allows it', async () => {
    const text = `tasks:\n${CONFIG}"\${spec.mode = \\"slow\\" ? \\"Slow\\" : \\"fast\\"}"}}\n`
    const [warning] = await checkRoleText(text)
    expect(warning?.severity).to.equal('warning')
    expect(warning?.message).to.include('shown by a resource with `spec.mode: "slow"`')
    const [error] = await checkRoleText(text, { sample: WEB_SAMPLE.replace('mode: fast', 'mode: slow') })
    expect(error?.severity).to.equal('error')
  })

  describe('that may not go on', () => {
    const folder = temporaryFolder()
    after(() => folder.remove())
    const WRONG = `tasks:\n${CONFIG}"\${spec.mode = \\"slow\\" ? \\"Slow\\" : \\"Fast\\"}"}}\n`

    async function trial(goesOn: () => Promise<boolean>): Promise<readonly string[]> {
      writeWebProject(folder.path, WRONG)
      const options = folderOptions(folder.path)
      const places = new TaskPlaces()
      const { project } = await loadProject({ ...options, places })
      if (!project) throw new Error('the project has errors')
      const found = await tryProject(project, { schemas: options.schemas, places, goesOn })
      return found.map(({ severity, message }) => `${severity} ${message.replace(/^.*?"(Slow|Fast)".*$/, '$1')}`)
    }

    it('says what it has found so far', async () => {
      let left = 1
      expect(await trial(async () => left-- > 0)).to.deep.equal(['error Fast'])
      expect(await trial(async () => false)).to.deep.equal([])
    })

    it('is given up by a rejection', async () => {
      const refusal = await trial(() => Promise.reject(new Error('typed on'))).catch((error: Error) => error.message)
      expect(refusal).to.equal('typed on')
    })
  })

  it('needs no sample', async () => {
    const [found, ...others] = await checkRoleText(`tasks:\n${CONFIG}Web}}\n`, { sample: '' })
    expect(`${found?.severity} ${found?.code}`).to.equal('error RB1803')
    expect(others).to.deep.equal([])
  })

  it('reports each mistake once, however many items and resources show it', async () => {
    const found = await checkRoleText(
      `tasks:\n${CONFIG}"\${$item}", labels: {a: "b c"}}}\n    loop: \${["a", "b", "c"]}\n`,
    )
    expect(found.map(({ code }) => code)).to.deep.equal(['RB1801'])
  })

  it('finds mistakes in files of tasks, at their place', async () => {
    const files = {
      'roles/web/tasks/more.yaml': '- ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: Web}}\n',
    }
    const [found] = await checkRoleText('tasks:\n  - include: {tasks: tasks/more.yaml}\n', { files })
    expect(`${found?.file}:${found?.line}:${found?.column}`).to.equal('roles/web/tasks/more.yaml:1:62')
  })

  it('warns of a sample that the role refuses, unless its cluster may lack something', async () => {
    const least = (text: string): string =>
      `tasks:\n  - name: Least\n    assert: {that: ["\${${text}}"], message: too few}\n`
    const [found, ...others] = await checkRoleText(least('spec.size > 5'))
    expect(`${found?.severity} ${found?.code} ${found?.line}`).to.equal('warning RB1808 3')
    expect(found?.message).to.match(/^task "Least": the sample .*web\.yaml is refused: too few$/)
    expect(others).to.deep.equal([])
    expect(await checkRoleText(least('spec.size < 5'))).to.deep.equal([])
  })

  it('runs the tasks of the end, too', async () => {
    const found = await checkRoleText(`tasks:\n${CONFIG}web}}\nfinalize:\n${CONFIG}Web}}\n`)
    expect(found.map(({ code, line }) => `${code} ${line}`)).to.deep.equal(['RB1803 6'])
  })
})
