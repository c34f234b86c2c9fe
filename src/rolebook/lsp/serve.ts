import { createConnection, ProposedFeatures } from 'vscode-languageserver'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node'
import { LanguageServer, type LanguageServerOptions } from './language-server.ts'

export interface ServeOptions extends LanguageServerOptions {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly signal: AbortSignal
}

/** Speaks the language server protocol until the editor says `exit` or goes away. Resolves whether it has said `shutdown` before. */
export async function serve(options: ServeOptions): Promise<{ readonly inOrder: boolean }> {
  const { input, output, signal } = options
  const ended = Promise.withResolvers<void>()
  const watchDog = { shutdownReceived: false, initialize: () => undefined, exit: () => ended.resolve() }
  const connection = createConnection(
    (logger) => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    watchDog,
    ProposedFeatures.all,
  )
  const server = new LanguageServer(connection, options)
  input.once('end', () => ended.resolve())
  input.once('close', () => ended.resolve())
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  server.listen()
  await ended.promise
  server.stop()
  connection.dispose()
  return { inOrder: watchDog.shutdownReceived }
}
