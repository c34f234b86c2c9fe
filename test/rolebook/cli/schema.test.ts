import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('rolebook schema', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  async function schema(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const terminal = new FakeTerminal()
    const code = await runProgram(['schema', ...args], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  it('prints the schema of one kind of file', async () => {
    const { code, out, err } = await schema('role')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(out).to.equal(readFileSync('schemas/role.json', 'utf8'))
  })

  it('writes all of them to a folder that it makes', async () => {
    const place = join(folder.path, 'a/b')
    const { code, out, err } = await schema('--write', place)
    expect({ code, out }).to.deep.equal({ code: 0, out: '' })
    expect(err).to.equal(['watches', 'role', 'tasks', 'test'].map((name) => `wrote ${place}/${name}.json\n`).join(''))
    expect(readdirSync(place)).to.have.members(['watches.json', 'role.json', 'tasks.json', 'test.json'])
    expect(readFileSync(join(place, 'test.json'), 'utf8')).to.equal(readFileSync('schemas/test.json', 'utf8'))
  })

  it('writes only the one that is named', async () => {
    const place = join(folder.path, 'one')
    expect((await schema('test', '--write', place)).code).to.equal(0)
    expect(readdirSync(place)).to.deep.equal(['test.json'])
  })

  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  const refused = [
    { name: 'no name', args: [], says: 'which schema? choose one of watches, role, tasks, test' },
    { name: 'another name', args: ['crd'], says: 'there is no schema "crd": choose one of watches, role, tasks, test' },
    { name: 'a folder that is a file', args: ['--write', file], says: `cannot write to ${file}: EEXIST` },
  ]
  for (const { name, args, says } of refused) {
    it(`refuses ${name}`, async () => {
      const { code, err } = await schema(...args)
      expect(code).to.equal(2)
      expect(err).to.include(`rolebook schema: ${says}`)
    })
  }
})
