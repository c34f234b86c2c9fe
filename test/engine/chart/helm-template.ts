import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { JsonValue } from '../../../src/core/base/json.ts'
import type { ChartCase } from './charts.ts'

/** What came of a chart: documents with the file that they come from, or why there are none. */
export interface Templated {
  readonly documents?: readonly { readonly source: string; readonly object: JsonValue }[] | undefined
  readonly error?: string
}

export const RELEASE = { name: 'shop', namespace: 'web', revision: 1 }
export const KUBE_VERSION = 'v1.36.4'

/** Runs `helm template` as a person would. */
export function helmTemplate(helm: string, { files, given }: ChartCase): Templated {
  const folder = mkdtempSync(join(tmpdir(), 'helm-template-'))
  try {
    for (const [name, text] of Object.entries({ ...files, '../given.yaml': given ?? '{}\n' })) {
      const path = join(folder, 'chart', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    const flags = [
      '--include-crds',
      '--namespace',
      RELEASE.namespace,
      '--kube-version',
      KUBE_VERSION,
      '-f',
      'given.yaml',
    ]
    const env = { HOME: folder, PATH: '' }
    const run = spawnSync(helm, ['template', RELEASE.name, './chart', ...flags], { cwd: folder, env, encoding: 'utf8' })
    return run.status === 0 ? { documents: documentsOf(run.stdout) } : { error: errorOf(run.stderr) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function documentsOf(stdout: string): Templated['documents'] {
  return stdout
    .split(/^---\n# Source: /m)
    .slice(1)
    .flatMap((part) => {
      const [source = '', ...lines] = part.split('\n')
      const documents = parseAllDocuments(lines.join('\n'), { version: '1.1' })
      return documents.map((document) => ({ source, object: document.toJS() as JsonValue }))
    })
    .filter(({ object }) => object !== null)
}

function errorOf(stderr: string): string {
  const [, message = stderr] = /^Error: ([\s\S]*)$/m.exec(stderr) ?? []
  return message.replace(/\n\nUse --debug flag to render out invalid YAML\s*$/, '').trimEnd()
}
