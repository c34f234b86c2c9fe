import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Agent, request } from 'undici'
import { runProgram } from '../../../../src/rolebook/cli/run-program.ts'
import { FakeTerminal } from '../../../support/fake-terminal.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { writeNoteProject } from '../note-project.ts'

const plan = (code: number): string => `rules:
  - when: { verbs: [get], resource: namespaces, userAgent: tester }
    do: { reply: { code: ${code} } }
`

describe('rolebook sandbox --faults', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  const inProject = (project: string): readonly string[] => [
    ...['--watches-file', join(project, 'watches.yaml'), '--roles-path', join(project, 'roles')],
    ...['--kubeconfig', join(project, 'kubeconfig')],
  ]

  it('follows its file, and keeps the last good faults', async () => {
    const project = join(folder.path, 'project')
    writeNoteProject(project)
    const file = join(project, 'faults.yaml')
    writeFileSync(file, plan(503))
    const terminal = new FakeTerminal()
    const ended = runProgram(['sandbox', '--no-operator', '--faults', file, ...inProject(project)], terminal)
    await terminal.until(({ stdout }) => /https:\/\/127\.0\.0\.1:\d+/.test(stdout))
    const { clusters, users } = JSON.parse(readFileSync(join(project, 'kubeconfig'), 'utf8'))
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster
    const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, 'base64').toString() } })
    const status = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${users[0].user.token}`, 'user-agent': 'tester' }
      const answer = await request(`${server}/api/v1/namespaces/default`, { headers, dispatcher })
      await answer.body.dump()
      return answer.statusCode
    }
    /** A file that is saved is read within a moment. */
    const becomes = async (wanted: number): Promise<void> => {
      while ((await status()) !== wanted) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(await status()).to.equal(503)
    writeFileSync(file, plan(429))
    await becomes(429)
    writeFileSync(file, plan(7))
    await terminal.until(({ stdout, stderr }) => /RB1023/.test(stdout + stderr))
    expect(await status()).to.equal(429)
    writeFileSync(file, 'rules: []\n')
    await becomes(200)
    await dispatcher.close()
    terminal.stop()
    expect(await ended).to.equal(0)
  })

  it('does not start with a file that is wrong or not there', async () => {
    const project = join(folder.path, 'wrong')
    writeNoteProject(project)
    writeFileSync(join(project, 'faults.yaml'), plan(7))
    for (const [file, says] of [
      ['faults.yaml', /faults\.yaml:3:\d+ .*RB1023/],
      ['none.yaml', /none\.yaml.*RB1301/],
    ] as const) {
      const terminal = new FakeTerminal()
      const args = ['sandbox', '--faults', join(project, file), ...inProject(project)]
      expect(await runProgram(args, terminal)).to.equal(2)
      expect(terminal.stderr).to.match(says)
    }
  })
})
