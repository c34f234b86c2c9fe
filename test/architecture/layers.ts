/** The areas of `src`, and which other areas each may import. */
export const AREAS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  sandbox: ['core'],
  engine: ['core'],
  rolebook: ['core', 'sandbox', 'engine'],
}

/**
 * The folders of each area, and which folders each may import. Imports go down only; a folder may always import itself. The
 * names of folders are unique.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'core/base': [],
  'core/kube': ['base'],
  'core/yaml': ['base'],
  'core/schema': ['kube', 'base'],
  'core/kube-client': ['kube', 'base'],

  'sandbox/apiserver': ['schema', 'kube', 'base'],
  'sandbox/cluster': ['apiserver', 'kube-client', 'yaml', 'schema', 'kube', 'base'],

  'engine/expression': ['base'],
  'engine/chart': ['kube', 'base'],
  'engine/runtime': ['kube', 'base'],
  'engine/role': ['expression', 'yaml', 'schema', 'kube', 'base'],
  'engine/tasks': ['role', 'chart', 'expression', 'schema', 'kube', 'base'],
  'engine/reconcile': ['role', 'runtime', 'schema', 'kube', 'base'],
  'engine/operator': ['reconcile', 'role', 'runtime', 'kube', 'base'],

  'rolebook/config': ['operator', 'role', 'apiserver', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/migrate': ['scaffold', 'role', 'apiserver', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/generate': ['config', 'operator', 'role', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/scaffold': ['config', 'role', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/trial': [
    ...['config', 'reconcile', 'operator', 'role', 'expression', 'apiserver', 'yaml', 'schema', 'kube', 'base'],
  ],
  'rolebook/lsp': ['trial', 'role-test', 'config', 'role', 'expression', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/role-test': ['operator', 'config', 'role', 'apiserver', 'kube-client', 'yaml', 'schema', 'kube', 'base'],
  'rolebook/prove': [
    ...['role-test', 'trial', 'reconcile', 'operator', 'role', 'apiserver', 'yaml', 'schema', 'kube', 'base'],
  ],
  'rolebook/library': [
    ...['role-test', 'generate', 'config', 'cluster', 'apiserver', 'operator', 'chart', 'tasks', 'role', 'expression'],
    ...['kube-client', 'yaml', 'schema', 'kube', 'base'],
  ],
  'rolebook/telemetry': ['reconcile', 'role', 'kube-client', 'kube', 'base'],
  'rolebook/ui': [],
  'rolebook/dashboard': ['ui', 'operator', 'reconcile', 'role', 'runtime', 'kube', 'base'],
  'rolebook/playground': [
    ...['dashboard', 'ui', 'library', 'lsp', 'role-test', 'trial', 'config', 'cluster', 'apiserver', 'operator'],
    ...['reconcile', 'chart', 'tasks', 'role', 'kube-client', 'yaml', 'schema', 'kube', 'base'],
  ],
  'rolebook/cli': ['*'],
}

/** How many other files a file of an area may import. In the sandbox, lists of kinds import each of them. */
export const MOST_IMPORTS: Readonly<Record<string, number>> = { core: 20, engine: 20, rolebook: 30, sandbox: 60 }

/** Where a library, or a part of Node that touches the outside world, is at home. */
export const OWNED_BY: Readonly<Record<string, readonly string[]>> = {
  '@kubernetes/client-node': ['core/kube-client'],
  undici: ['core/kube-client', 'sandbox/apiserver/http/in-memory-dispatcher.ts', 'rolebook/playground/browser'],
  jsonata: ['engine/expression'],
  'lru-cache': ['engine/expression', 'engine/chart'],
  yaml: ['core/yaml'],
  ajv: ['core/yaml', 'core/schema', 'rolebook/playground/browser'],
  re2js: ['core/base/regex.ts'],
  '@peculiar/x509': ['sandbox/apiserver'],
  'reflect-metadata': ['sandbox/apiserver'],
  'prom-client': ['engine/runtime'],
  pino: ['rolebook/cli'],
  '@opentelemetry': ['rolebook/telemetry'],
  'vscode-languageserver': ['rolebook/lsp'],
  'vscode-languageserver-protocol': ['rolebook/lsp'],
  'vscode-languageserver-textdocument': ['rolebook/lsp'],
  preact: ['rolebook/ui', 'rolebook/dashboard/page', 'rolebook/playground/page'],
  '@codemirror': ['rolebook/playground/page/editor.tsx'],
  '@lezer': ['rolebook/playground/page/editor.tsx'],
  // What a browser has in place of Node's parts.
  '@noble/hashes': ['rolebook/playground/browser'],
  buffer: ['rolebook/playground/browser'],
  'compiled-schemas': ['rolebook/playground/browser'],
  commander: ['rolebook/cli'],
  'string-width': ['rolebook/cli/live-view'],
  'node:async_hooks': [
    ...[
      'engine/role/secrecy/run-secrecy.ts',
      'engine/reconcile/run/own-loop.ts',
      'rolebook/telemetry/span-recorder.ts',
    ],
  ],
  'node:crypto': ['core/base/hash.ts'],
  'node:zlib': ['core/schema', 'sandbox/cluster', 'engine/chart', 'rolebook/cli'],
  'node:fs': ['sandbox/cluster', 'rolebook/config', 'rolebook/role-test', 'rolebook/library', 'rolebook/cli'],
  'node:fs/promises': ['sandbox/cluster', 'rolebook/config', 'rolebook/role-test', 'rolebook/cli'],
  'node:http': ['core/base/node-http.ts', 'sandbox/apiserver', 'sandbox/cluster', 'engine/runtime'],
  'node:https': ['sandbox/apiserver', 'engine/runtime'],
  'node:module': ['core/base/node-http.ts'],
  'node:process': ['sandbox/cluster/data-folder', 'rolebook/cli'],
  'node:readline': ['rolebook/cli/process-screen.ts'],
  'node:readline/promises': ['rolebook/cli'],
  'node:sea': ['rolebook/cli/start-command.ts'],
  // Only `rolebook sandbox --detach` starts a process: itself, in the background.
  'node:child_process': ['rolebook/cli/session/detach.ts'],
  'node:v8': ['rolebook/cli'],
  // The constant text `gc` is all that it is given.
  'node:vm': ['rolebook/cli/idle-collection.ts'],
  'node:worker_threads': ['engine/chart'],
}
