import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'chai'
import { Agent, request } from 'undici'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { writeNoteProject } from '../rolebook/cli/note-project.ts'
import { RolebookProcess } from '../support/rolebook-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const KILLS = Number(env.KILLS ?? 3)
const PATH = '/api/v1/namespaces/default/configmaps'
const WRITERS = 4

/** A client that writes until the server is gone, and remembers the answers. */
class Writer {
  readonly #name: string
  readonly #send: Send
  /** By name; `undefined`: deleted. */
  readonly acknowledged = new Map<string, KubeObject | undefined>()
  /** Asked for, and not known whether it came about. */
  readonly open = new Set<string>()
  #onAcknowledged: () => void = () => undefined

  constructor(name: string, send: Send) {
    this.#name = name
    this.#send = send
  }

  /** Resolves when so many objects were acknowledged. */
  reached(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onAcknowledged = () => {
        if (this.acknowledged.size >= count) resolve()
      }
    })
  }

  async run(): Promise<void> {
    for (let n = 0; ; n++) {
      const name = `${this.#name}-${n}`
      await this.#write('POST', name, { data: { n: String(n) } })
      if (n % 2 === 0) await this.#write('PUT', name, { data: { n: 'again' } })
      if (n % 3 === 0) await this.#write('DELETE', name)
    }
  }

  async #write(method: 'POST' | 'PUT' | 'DELETE', name: string, content?: object): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...content }
    this.open.add(name)
    const answer = await this.#send(method, method === 'POST' ? PATH : `${PATH}/${name}`, content && object)
    this.open.delete(name)
    this.acknowledged.set(name, method === 'DELETE' ? undefined : answer)
    this.#onAcknowledged()
  }
}

type Send = (method: string, path: string, body?: object) => Promise<KubeObject>

/** Speaks to the server of a kubeconfig. @throws Error when it does not answer as asked */
function sender(kubeconfig: string): { send: Send; close: () => Promise<void> } {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const agent = new Agent({ connect: { ca: Buffer.from(ca, 'base64').toString() } })
  const headers = { authorization: `Bearer ${users[0].user.token}`, 'content-type': 'application/json' }
  return {
    async send(method, path, content) {
      const body = content === undefined ? null : JSON.stringify(content)
      const answer = await request(server + path, { method: method as 'GET', headers, body, dispatcher: agent })
      const found = await answer.body.json()
      if (answer.statusCode >= 300) throw new Error(JSON.stringify(found))
      return found as KubeObject
    },
    close: () => agent.destroy(),
  }
}

describe('rolebook sandbox --data', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it(`loses nothing that was acknowledged when it is killed ${KILLS} times while clients write`, async function () {
    this.timeout(60_000 + KILLS * 10_000)
    const project = join(folder.path, 'project')
    writeNoteProject(project)
    const flags = ['sandbox', '--no-operator', '--no-workloads', '--data', 'kept']
    const kubeconfig = join(project, '.rolebook/kubeconfig')
    const known = new Map<string, KubeObject | undefined>()
    let written = ''
    for (let round = 0; round <= KILLS; round++) {
      const program = new RolebookProcess(flags, { cwd: project })
      await program.until('it listens', ({ stdout }) => /https:\/\/127\.0\.0\.1:\d+/.test(stdout))
      const access = readFileSync(kubeconfig, 'utf8')
      expect(round === 0 || access === written, 'the kubeconfig of before is that of now').to.equal(true)
      written = access
      const client = sender(kubeconfig)
      const writers = Array.from({ length: WRITERS }, (_, n) => new Writer(`r${round}-w${n}`, client.send))
      await compare(client.send, known)
      if (round < KILLS) {
        const running = writers.map((writer) => writer.run().catch(() => undefined))
        await Promise.all(writers.map((writer) => writer.reached(2 + (round % 8))))
        await program.stop('SIGKILL')
        await Promise.all(running)
      } else {
        expect(await program.stop()).to.equal(0)
      }
      for (const { acknowledged, open } of writers) {
        for (const [name, object] of acknowledged) if (!open.has(name)) known.set(name, object)
      }
      await client.close()
    }
    expect(known.size).to.be.above(KILLS * WRITERS)
  })
})

async function compare(send: Send, known: ReadonlyMap<string, KubeObject | undefined>): Promise<void> {
  const list = (await send('GET', PATH)) as unknown as { items: KubeObject[]; metadata: { resourceVersion: string } }
  const found = new Map(list.items.map((object) => [object.metadata.name, object]))
  for (const [name, expected] of known) {
    const { apiVersion: _version, kind: _kind, ...rest } = expected ?? {}
    expect(found.get(name), name).to.deep.equal(expected && rest)
  }
}
