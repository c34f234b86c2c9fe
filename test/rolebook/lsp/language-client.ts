import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { builtProgram, compileCache } from '../../support/built-program.ts'

const BIN = join(import.meta.dirname, '../../../bin/rolebook.cjs')
const CAPABILITIES: ClientCapabilities = {
  textDocument: { publishDiagnostics: { relatedInformation: false }, rename: { prepareSupport: true } },
}

/** An editor that has started `rolebook lsp`, as the protocol has it. */
export class LanguageClient {
  readonly connection: ProtocolConnection
  readonly #child: ChildProcessWithoutNullStreams
  readonly #ended: Promise<number | null>
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>()
  /** The versions of the texts that the diagnostics are of. */
  readonly #checked = new Map<string, number | undefined>()
  readonly #listeners = new Set<() => void>()
  readonly #versions = new Map<string, number>()
  stderr = ''

  /** @param command what starts the program. Defaults to the one that is built, on this Node */
  constructor(args: readonly string[] = [], [file = '', ...before] = builtCommand()) {
    this.#child = spawn(file, [...before, 'lsp', ...args], { env: { ...compileCache(), ...env } })
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.#ended = new Promise((resolve) => this.#child.on('close', resolve))
    const { stdout, stdin } = this.#child
    this.connection = createProtocolConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin))
    this.connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics, version }) => {
      this.#diagnostics.set(uri, diagnostics)
      this.#checked.set(uri, version)
      for (const listener of this.#listeners) listener()
    })
    this.connection.listen()
  }

  /** @param further what the editor can do besides */
  async start(further: ClientCapabilities = {}): Promise<InitializeResult> {
    const params = { processId: null, rootUri: null, capabilities: { ...CAPABILITIES, ...further } }
    const result: InitializeResult = await this.connection.sendRequest('initialize', params)
    await this.connection.sendNotification('initialized', {})
    return result
  }

  /** Opens a file, or types another text into one that is open. */
  async show(path: string, text: string): Promise<void> {
    const uri = uriOf(path)
    const version = (this.#versions.get(uri) ?? 0) + 1
    this.#versions.set(uri, version)
    if (version === 1) {
      const textDocument = { uri, languageId: 'yaml', version, text }
      await this.connection.sendNotification('textDocument/didOpen', { textDocument })
    } else {
      const params = { textDocument: { uri, version }, contentChanges: [{ text }] }
      await this.connection.sendNotification('textDocument/didChange', params)
    }
  }

  async close(path: string): Promise<void> {
    this.#versions.delete(uriOf(path))
    await this.connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(path) } })
  }

  /** What the server answers to a question about a place. */
  ask<Answer>(method: string, path: string, further: object): Promise<Answer> {
    return this.connection.sendRequest(method, { textDocument: { uri: uriOf(path) }, ...further })
  }

  /** The diagnostics of a file, once they satisfy `seen`. */
  async diagnostics(path: string, seen: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]> {
    const uri = uriOf(path)
    const heard = Promise.withResolvers<readonly Diagnostic[]>()
    const look = (): void => {
      const found = this.#diagnostics.get(uri)
      if (found && seen(found)) heard.resolve(found)
    }
    this.#listeners.add(look)
    look()
    try {
      return await Promise.race([heard.promise, this.#ended.then(() => Promise.reject(new Error(this.stderr)))])
    } finally {
      this.#listeners.delete(look)
    }
  }

  /** The version of the text that the last diagnostics of a file were of. */
  versionOf(path: string): number | undefined {
    return this.#checked.get(uriOf(path))
  }

  /** Says goodbye as an editor does. Returns the exit code. */
  async stop(): Promise<number | null> {
    await this.connection.sendRequest('shutdown')
    await this.connection.sendNotification('exit')
    const code = await this.#ended
    this.connection.dispose()
    return code
  }

  /** Goes away without a word, as an editor that has crashed. Returns the exit code. */
  vanish(): Promise<number | null> {
    this.#child.stdin.end()
    return this.#ended
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href
}

const MARK = '¦'

/** A text with a mark at the cursor: the text without it, and where it was. */
export function atMark(marked: string): { readonly text: string; readonly position: Position } {
  const offset = marked.indexOf(MARK)
  if (offset === -1) throw new Error(`no ${MARK} in ${marked}`)
  const before = marked.slice(0, offset).split('\n')
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  return { text: marked.replace(MARK, ''), position }
}

function builtCommand(): readonly string[] {
  return [execPath, env.NODE_V8_COVERAGE ? BIN : join(builtProgram(), 'rolebook.mjs')]
}
