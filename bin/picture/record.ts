import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import { TerminalProcess } from '../../test/cluster/terminal-process.ts'
import { builtProgram } from '../../test/support/built-program.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import type { StyledText } from '../../test/support/terminal-emulator.ts'

/** What is seen for some seconds: a role in an editor, and the live screen below it. */
export interface Scene {
  readonly caption: string
  readonly role: string
  readonly screen: readonly (readonly StyledText[])[]
  readonly seconds: number
}

const PROJECT = join(import.meta.dirname, 'website')
const ROLE = 'roles/website/role.yaml'
const SIZE = { columns: 92, rows: 13 }

/** The role of the picture, which is the one of the README. */
export const ROLE_TEXT = readFileSync(join(PROJECT, ROLE), 'utf8')

const SERVICE = `
  - name: Address
    ensure:
      apiVersion: v1
      kind: Service
      metadata: { name: "\${metadata.name}" }
      spec: { selector: { app: "\${metadata.name}" }, ports: [{ port: 80 }] }
`
const LONGER = `${ROLE_TEXT}${SERVICE}`
const WRONG = LONGER.replace('spec.image', 'spec.imagee')

/** What the screen shows at the end of each step, and nothing of it depends on times. */
const SEEN = {
  ready: /blog +True +Ready +1 [\s\S]*shop +True +Ready +1 /,
  followed: /blog +True +Ready +2 [\s\S]*shop +True +Ready +2 /,
  corrected: /spec\.replicas: 1 → 3 +\$\{spec\.replicas \?\? 2\}/,
  refused: /role\.yaml:12:60 error RB1220/,
} as const

/** A session of `rolebook sandbox`, in which a role is edited, an object is changed by hand, and a mistake is made. */
export async function recordScenes(): Promise<readonly Scene[]> {
  const folder = temporaryFolder()
  cpSync(PROJECT, folder.path, { recursive: true })
  const command = `'${execPath}' '${join(builtProgram(), 'rolebook.mjs')}' sandbox --samples`
  const terminal = new TerminalProcess(command, {
    cwd: folder.path,
    size: SIZE,
    env: { ...env, TERM: 'xterm-256color' },
  })
  try {
    const scenes = await new Session(terminal, folder.path).play()
    terminal.press('q')
    await terminal.ended()
    return scenes
  } finally {
    terminal.kill()
    folder.remove()
  }
}

class Session {
  readonly #scenes: Scene[] = []
  readonly #terminal: TerminalProcess
  readonly #folder: string
  #role = ROLE_TEXT

  constructor(terminal: TerminalProcess, folder: string) {
    this.#terminal = terminal
    this.#folder = folder
  }

  async play(): Promise<readonly Scene[]> {
    await this.#terminal.until('both are ready', (text) => SEEN.ready.test(text))
    await this.#show('A role: what each Website becomes. Two of them run in the sandbox.', 5)

    await this.#edit(LONGER, 'Add a Service to the role, and save …', 3)
    await this.#terminal.until('both have a Service', (text) => SEEN.followed.test(text))
    await this.#show('… both Websites have one: two children each. Nothing was compiled or restarted.', 5)

    await this.#scaleByHand()
    await this.#details()
    await this.#show('blog was scaled to 1 by hand: it is put back, and the screen says who did that.', 6)

    this.#terminal.press('\u001b')
    await this.#terminal.until('the list', (text) => text.includes('RESOURCE'))
    await this.#edit(WRONG, 'Make a mistake, and save …', 3)
    await this.#terminal.until('the mistake', (text) => SEEN.refused.test(text))
    await this.#show('… file, line, column and remedy. The last good version goes on.', 6)
    return this.#scenes
  }

  async #show(caption: string, seconds: number): Promise<void> {
    this.#scenes.push({ caption, seconds, role: this.#role, screen: await this.#terminal.screen.styledLines() })
  }

  /** The change is seen before it is saved. */
  async #edit(role: string, caption: string, seconds: number): Promise<void> {
    this.#role = role
    await this.#show(caption, seconds)
    writeFileSync(join(this.#folder, ROLE), role)
  }

  async #scaleByHand(): Promise<void> {
    const kubeconfig = join(this.#folder, '.rolebook/kubeconfig')
    const { client, close } = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'person' })
    const deployment = { group: 'apps', version: 'v1', kind: 'Deployment' }
    const patch = { type: 'merge', body: { spec: { replicas: 1 } } } as const
    await client.patch(deployment, { namespace: 'default', name: 'blog' }, patch, { fieldManager: 'person' })
    await close()
  }

  /** The page of `blog`, down to where the correction stands. */
  async #details(): Promise<void> {
    this.#terminal.press('\r')
    await this.#terminal.until('its page', (text) => text.includes('CONDITIONS'))
    const isSeen = (text: string): boolean => /corrected/.test(text) && SEEN.corrected.test(text)
    const down = setInterval(() => this.#terminal.press('\u001b[B'), 300)
    await this.#terminal.until('the correction', isSeen).finally(() => clearInterval(down))
  }
}
