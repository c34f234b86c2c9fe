import { fileURLToPath } from 'node:url'
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type CompletionItem,
  DidChangeWatchedFilesNotification,
  type DocumentSymbol,
  ErrorCodes,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type Location,
  MarkupKind,
  type ProposedFeatures,
  type Range,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Clock } from '../../core/base/clock.ts'
import type { Diagnostic as Found } from '../../core/yaml/diagnostic.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { complete } from './completion.ts'
import { codeActionsFor } from './fixes/code-actions.ts'
import { hover } from './hover.ts'
import { fileAt, meaningAt, nameAt } from './navigation.ts'
import type { ViewOptions } from './project-view.ts'
import {
  toCompletionItem,
  toDocumentSymbol,
  toLocation,
  toProtocolDiagnostic,
  toRange,
  toUri,
} from './protocol-values.ts'
import type { Request } from './request.ts'
import type { AnySchema } from './schema-places.ts'
import { symbolsOf } from './symbols.ts'
import { type CheckedProject, Workspace } from './workspace.ts'

export interface LanguageServerOptions extends ViewOptions {
  readonly clock: Clock
  readonly version: string
  /** Of the tests of roles. */
  readonly tests: AnySchema
}

/** Milliseconds without a further change before a project is checked. */
const QUIET_PERIOD = 150
/** Milliseconds from then on before its roles are tried, and how long that may take. */
const QUIET_BEFORE_TRIAL = 350
const LONGEST_TRIAL = 2_000

type Connection = ProposedFeatures.Connection

/** Answers an editor: each question about a place, and unasked what is wrong with the projects of the files that are open. */
export class LanguageServer {
  readonly #connection: Connection
  readonly #options: LanguageServerOptions
  readonly #workspace: Workspace
  readonly #documents = new TextDocuments(TextDocument)
  /** Paths of files with diagnostics, by the folder of their project. */
  readonly #reported = new Map<string, ReadonlySet<string>>()
  #watchesDisk = false
  #cancelCheck = (): void => undefined

  constructor(connection: Connection, options: LanguageServerOptions) {
    this.#connection = connection
    this.#options = options
    this.#workspace = new Workspace(options)
  }

  /** Answers from now on. */
  listen(): void {
    const connection = this.#connection
    connection.onInitialize((params) => this.#initialize(params))
    connection.onInitialized(() => {
      this.#watchDisk()
      warmUp(this.#options)
    })
    connection.onDidChangeWatchedFiles(() => this.#diskChanged())
    connection.onCompletion((params) => this.#complete(params))
    connection.onHover((params) => this.#hover(params))
    connection.onDefinition((params) => this.#definition(params))
    connection.onReferences((params) => this.#references(params, params.context.includeDeclaration))
    connection.onPrepareRename((params) => this.#prepareRename(params))
    connection.onRenameRequest((params) => this.#rename(params, params.newName))
    connection.onDocumentSymbol(({ textDocument }) => this.#symbols(textDocument.uri))
    connection.onCodeAction((params) => this.#codeActions(params))
    this.#documents.onDidChangeContent(({ document }) => this.#textChanged(document))
    this.#documents.onDidSave(() => this.#diskChanged())
    this.#documents.onDidClose(({ document }) => this.#closed(document))
    this.#documents.listen(connection)
    connection.listen()
  }

  /** Forgets what is still to be checked. */
  stop(): void {
    this.#cancelCheck()
  }

  #initialize({ capabilities }: InitializeParams): InitializeResult {
    this.#watchesDisk = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    return {
      serverInfo: { name: 'rolebook', version: this.#options.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        completionProvider: { triggerCharacters: ['.', '$', ' ', '"', "'", '/', '-', '('] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    }
  }

  #watchDisk(): void {
    if (!this.#watchesDisk) return
    const watchers = [{ globPattern: '**/*.{yaml,yml,tgz,tpl}' }, { globPattern: '**/files/**' }]
    void this.#connection.client.register(DidChangeWatchedFilesNotification.type, { watchers })
  }

  #textChanged(document: TextDocument): void {
    const path = pathOf(document.uri)
    if (path === undefined) return
    this.#workspace.setText(path, document.getText())
    this.#checkSoon()
  }

  #closed(document: TextDocument): void {
    const path = pathOf(document.uri)
    if (path === undefined) return
    this.#workspace.close(path)
    this.#checkSoon()
  }

  #diskChanged(): void {
    this.#workspace.forgetDisk()
    this.#checkSoon()
  }

  /** What was being checked is given up: it is of a text that has changed. */
  #checkSoon(): void {
    this.#cancelCheck()
    const ending = new AbortController()
    const cancel = this.#options.clock.schedule(QUIET_PERIOD, () => {
      this.#check(ending.signal).catch((error: unknown) => {
        if (!ending.signal.aborted) this.#connection.console.error(`cannot check: ${String(error)}`)
      })
    })
    this.#cancelCheck = () => {
      cancel()
      ending.abort()
    }
  }

  /** Projects without an open file keep no diagnostics. An editor that reports no changes on disk has the files read each time. */
  async #check(signal: AbortSignal): Promise<void> {
    if (!this.#watchesDisk) this.#workspace.forgetDisk()
    const versions = this.#openVersions()
    const paths = await Promise.all(this.#workspace.openPaths.map((path) => this.#workspace.projectOf(path)))
    const folders = new Set(paths.filter((folder) => folder !== undefined))
    const checked = new Map<string, CheckedProject>()
    for (const folder of new Set([...folders, ...this.#reported.keys()])) {
      if (folders.has(folder)) checked.set(folder, await this.#workspace.check(folder))
      await this.#report(folder, checked.get(folder)?.found ?? [], versions)
      if (!folders.has(folder)) this.#reported.delete(folder)
    }
    await this.#options.clock.sleep(QUIET_BEFORE_TRIAL, signal)
    for (const [folder, project] of checked) await this.#tryRoles(folder, project, { signal, versions })
  }

  /** Runs the roles as `check` does, in small steps: questions are answered between them. */
  async #tryRoles(
    folder: string,
    { found, tryRoles }: CheckedProject,
    { signal, versions }: { readonly signal: AbortSignal; readonly versions: ReadonlyMap<string, number> },
  ): Promise<void> {
    if (!tryRoles || signal.aborted) return
    const { clock } = this.#options
    const end = clock.monotonic() + LONGEST_TRIAL
    const more = await tryRoles(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      signal.throwIfAborted()
      return clock.monotonic() < end
    })
    if (!signal.aborted) await this.#report(folder, [...found, ...more], versions)
  }

  /** Sends what was found in the files of a project, and takes back what is reported of its other files. */
  async #report(folder: string, found: readonly Found[], versions: ReadonlyMap<string, number>): Promise<void> {
    const byPath = Map.groupBy(found, ({ file }) => file)
    const former = this.#reported.get(folder) ?? new Set()
    this.#reported.set(folder, new Set(byPath.keys()))
    for (const path of new Set([...former, ...byPath.keys()])) {
      const diagnostics = (byPath.get(path) ?? []).map(toProtocolDiagnostic)
      const version = versions.get(path)
      await this.#connection.sendDiagnostics({
        uri: toUri(path),
        diagnostics,
        ...(version !== undefined && { version }),
      })
    }
  }

  /** By path: of the texts that are checked, which may change meanwhile. */
  #openVersions(): ReadonlyMap<string, number> {
    return new Map(
      this.#documents.all().flatMap(({ uri, version }) => {
        const path = pathOf(uri)
        return path === undefined ? [] : [[path, version] as const]
      }),
    )
  }

  async #complete(params: TextDocumentPositionParams): Promise<CompletionItem[]> {
    const asked = await this.#requestFor(params)
    if (!asked) return []
    const { suggestions, start, end } = complete(asked.request)
    const range = { start: asked.document.positionAt(start), end: asked.document.positionAt(end) }
    return suggestions.map((suggestion) => toCompletionItem(suggestion, range))
  }

  async #hover(params: TextDocumentPositionParams): Promise<Hover | null> {
    const asked = await this.#requestFor(params)
    const found = asked && hover(asked.request)
    return found ? { contents: { kind: MarkupKind.Markdown, value: found.text }, range: toRange(found.range) } : null
  }

  async #definition(params: TextDocumentPositionParams): Promise<Location[]> {
    const asked = await this.#requestFor(params)
    if (!asked) return []
    const file = fileAt(asked.request)
    if (file !== undefined) return [{ uri: toUri(file), range: TOP }]
    return (meaningAt(asked.request)?.definitions ?? []).map(toLocation)
  }

  async #references(params: TextDocumentPositionParams, withDefinitions: boolean): Promise<Location[]> {
    const asked = await this.#requestFor(params)
    const meaning = asked && meaningAt(asked.request)
    if (!meaning) return []
    return [...(withDefinitions ? meaning.definitions : []), ...meaning.uses].map(toLocation)
  }

  async #prepareRename(params: TextDocumentPositionParams): Promise<Range | null> {
    const asked = await this.#requestFor(params)
    const meaning = asked && meaningAt(asked.request)
    if (!asked || !meaning) return null
    const here = nameAt(meaning, asked.request)
    return here ? toRange(here) : null
  }

  async #rename(params: TextDocumentPositionParams, name: string): Promise<WorkspaceEdit | null> {
    const asked = await this.#requestFor(params)
    const meaning = asked && meaningAt(asked.request)
    if (!meaning) return null
    const renamed = meaning.rename(name)
    if ('problem' in renamed) throw new ResponseError(ErrorCodes.InvalidParams, `cannot rename: ${renamed.problem}`)
    const ranges = [...meaning.definitions, ...meaning.uses]
    const files = Map.groupBy(ranges, ({ source }) => toUri(source.path))
    const edits = [...files].map(([uri, some]) => {
      return [uri, some.map((range) => ({ range: toRange(range), newText: renamed.text }))] as const
    })
    return { changes: Object.fromEntries(edits) }
  }

  #symbols(uri: string): DocumentSymbol[] {
    const document = this.#documents.get(uri)
    const path = pathOf(uri)
    if (!document || path === undefined) return []
    return symbolsOf(path, document.getText(), this.#options.kinds).map(toDocumentSymbol)
  }

  async #codeActions({ textDocument, context }: CodeActionParams): Promise<CodeAction[]> {
    const document = this.#documents.get(textDocument.uri)
    const path = pathOf(textDocument.uri)
    if (!document || path === undefined) return []
    const view = await this.#workspace.viewOf(path)
    const isYaml = view?.useOf(path)?.use !== 'text'
    return context.diagnostics.flatMap((diagnostic) => codeActionsFor(document, diagnostic, { isYaml }))
  }

  async #requestFor(params: TextDocumentPositionParams): Promise<Asked | undefined> {
    const { uri } = params.textDocument
    const document = this.#documents.get(uri)
    const path = pathOf(uri)
    if (!document || path === undefined) return undefined
    const view = await this.#workspace.viewOf(path)
    if (!view) return undefined
    const [text, offset] = [document.getText(), document.offsetAt(params.position)]
    return { document, request: { path, text, offset, view, tests: this.#options.tests } }
  }
}

/** The schema of roles takes long to compile: the first question is not to wait for it. */
function warmUp({ parser }: LanguageServerOptions): void {
  parser.parse(new SourceFile('role.yaml', 'tasks: []'))
}

interface Asked {
  readonly document: TextDocument
  readonly request: Request
}

const TOP: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** `undefined` for a text that is not a file of this machine. */
function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}
