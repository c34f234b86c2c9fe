import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { commands, type ExtensionContext, type WorkspaceConfiguration, window, workspace } from 'vscode'
import { LanguageClient, type ServerOptions, TransportKind } from 'vscode-languageclient/node'

/** Files that `rolebook lsp` knows. It answers nothing about those of no project. */
const FILES = [
  { scheme: 'file', pattern: '**/watches.yaml' },
  { scheme: 'file', pattern: '**/roles/**' },
]

let client: LanguageClient | undefined

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand('rolebook.restart', restart),
    commands.registerCommand('rolebook.preview', preview),
    workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration('rolebook') ? restart() : undefined)),
  )
  await restart()
}

export async function deactivate(): Promise<void> {
  await client?.stop()
}

async function restart(): Promise<void> {
  await client?.stop()
  client = new LanguageClient('rolebook', 'rolebook', serverOptions(), { documentSelector: FILES })
  try {
    await client.start()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await window.showErrorMessage(`cannot start rolebook: ${reason} (install it, or set rolebook.command)`)
  }
}

function serverOptions(): ServerOptions {
  const settings = workspace.getConfiguration('rolebook')
  const command = programOf(settings)
  // On Windows, npm writes a script that only a shell can start.
  const options = { shell: process.platform === 'win32' }
  return { command, args: ['lsp', ...settings.get<string[]>('arguments', [])], transport: TransportKind.stdio, options }
}

/** Opens a terminal with what the role of the open file makes of its first sample. */
async function preview(): Promise<void> {
  const file = window.activeTextEditor?.document.uri.fsPath ?? ''
  const folder = projectOf(file)
  if (folder === undefined) {
    await window.showErrorMessage('cannot preview: the open file is in no project with a watches.yaml (open a role)')
    return
  }
  const [roles, name = ''] = relative(folder, file).split(sep)
  const role = roles === 'roles' ? [name.replace(/(\.crd)?\.yaml$/, '')] : []
  const terminal = window.createTerminal({
    name: ['rolebook preview', ...role].join(' '),
    cwd: folder,
    shellPath: programOf(workspace.getConfiguration('rolebook')),
    shellArgs: ['preview', ...role],
  })
  terminal.show(true)
}

/** The nearest folder around a file that holds the file of watches. */
function projectOf(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'watches.yaml'))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

function programOf(settings: WorkspaceConfiguration): string {
  return settings.get('command', '') || programOfWorkspace() || 'rolebook'
}

function programOfWorkspace(): string | undefined {
  const name = process.platform === 'win32' ? 'rolebook.cmd' : 'rolebook'
  const candidates = (workspace.workspaceFolders ?? []).map(({ uri }) => join(uri.fsPath, 'node_modules', '.bin', name))
  return candidates.find((path) => existsSync(path))
}
