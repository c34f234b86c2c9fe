/**
 * Prints the manifest by which krew installs `kubectl rolebook`:
 * `node bin/krew-manifest.ts rolebook-1.2.3.tgz --url https://example.com/rolebook-1.2.3.tgz --homepage https://example.com`.
 * The plugin is the package itself: it needs a Node, and so it is not for Windows, where kubectl starts no scripts.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'

const { version, engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  readonly version: string
  readonly engines: { readonly node: string }
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, homepage: { type: 'string' } },
})
const [tarball] = positionals
const { url, homepage } = values
if (tarball === undefined || url === undefined || homepage === undefined) {
  process.stderr.write('cannot print the manifest: give the package, --url where it will be, and --homepage\n')
  process.exitCode = 2
} else {
  process.stdout.write(stringify(manifestOf({ url, homepage, sha256: sha256(tarball) }), { lineWidth: 0 }))
}

function manifestOf({ url, homepage, sha256 }: Readonly<Record<'url' | 'homepage' | 'sha256', string>>) {
  return {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'rolebook' },
    spec: {
      version: `v${version}`,
      homepage,
      shortDescription: 'Explain and preview operators written in YAML',
      description:
        'Asks an operator of rolebook what it did to a resource and why (explain, history), prints what belongs to a\n' +
        'resource and what of it is not ready (tree), how the tasks of a role follow on each other (graph), and what the\n' +
        'roles of a folder would change in a cluster, without writing anything (diff). All commands: kubectl rolebook --help\n',
      caveats: `The plugin runs on Node ${engines.node.replace('>=', '')} or newer: it must be on your PATH as "node".\n`,
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
          uri: url,
          sha256,
          files: [{ from: 'package/*', to: '.' }],
          bin: 'bin/rolebook.cjs',
        },
      ],
    },
  }
}

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
