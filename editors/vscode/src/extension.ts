import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { commands, type ExtensionContext, window, workspace } from 'vscode'
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
  const command = settings.get('command', '') || programOfWorkspace() || 'rolebook'
  // On Windows, npm writes a script that only a shell can start.
  const options = { shell: process.platform === 'win32' }
  return { command, args: ['lsp', ...settings.get<string[]>('arguments', [])], transport: TransportKind.stdio, options }
}

function programOfWorkspace(): string | undefined {
  const name = process.platform === 'win32' ? 'rolebook.cmd' : 'rolebook'
  const candidates = (workspace.workspaceFolders ?? []).map(({ uri }) => join(uri.fsPath, 'node_modules', '.bin', name))
  return candidates.find((path) => existsSync(path))
}
