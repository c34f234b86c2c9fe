import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseAllDocuments } from 'yaml'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { FolderFiles } from '../../src/rolebook/cli/folder-files.ts'
import { knownKinds } from '../../src/rolebook/cli/migrate/known-kinds.ts'
import { build } from '../../src/rolebook/migrate/kustomize/build.ts'
import { KustomizeFiles } from '../../src/rolebook/migrate/kustomize/kustomize-files.ts'
import { Report } from '../../src/rolebook/migrate/report.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'
import { buildBinaries, missingForBinaries } from '../control-plane/binaries.ts'
import { moduleFolder } from '../corpora/go-module.ts'

const EXAMPLES = 'sigs.k8s.io/kustomize'

/** Folders that others build, in Go modules: the one that is read, and the one in it that is built. */
const FOLDERS: readonly (readonly [module: string, root: string, folder: string])[] = [
  ...['helloWorld', 'wordpress/mysql', 'wordpress/wordpress'].map(
    (name) => [EXAMPLES, `examples/${name}`, '.'] as const,
  ),
  ...['base', 'dev', 'staging', 'production'].map((name) => [EXAMPLES, 'examples/multibases', name] as const),
  ...['base', 'overlays/production'].map((name) => [EXAMPLES, 'examples/ldap', name] as const),
  ['sigs.k8s.io/lws', 'config', 'rbac'],
  ['sigs.k8s.io/lws', 'config', 'manager'],
  ['sigs.k8s.io/jobset', 'config', 'components/rbac'],
  ['github.com/kedacore/keda/v2', 'config', 'manager'],
]

const OWN = join(import.meta.dirname, '../rolebook/migrate/kustomize/shop')

describe('a folder of Kustomize that is read to be moved over', function () {
  this.timeout(600_000)
  const builtin = loadBuiltinSchemas()
  let kubectl = ''
  before(function () {
    if (missingForBinaries() !== undefined) this.skip() // without Go there is no kubectl to compare with
    kubectl = buildBinaries().paths.kubectl
  })

  function expectSame(root: string, folder: string): void {
    const text = execFileSync(kubectl, ['kustomize', join(root, folder)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const theirs = parseAllDocuments(text).map((document) => document.toJS() as JsonObject)
    const files = new KustomizeFiles(new FolderFiles(root), new Report())
    const found = files.kustomization(folder)
    const ours = found ? build(found, { files, known: knownKinds(builtin) }).map(({ object }) => object) : []
    expect(ours.map(comparable)).to.have.deep.members(theirs.map(comparable))
  }

  for (const [module, root, folder] of FOLDERS) {
    it(`is built as kubectl builds it: ${root} ${folder}`, () => expectSame(join(moduleFolder(module), root), folder))
  }

  for (const folder of ['base', 'overlays/prod']) {
    it(`is built as kubectl builds it: the folder of our own tests, ${folder}`, () => expectSame(OWN, folder))
  }
})

/** Without hashes at the end of names, the encoding of Secrets, and fields that say nothing. */
function comparable(object: JsonObject): JsonValue {
  const { data: _data, stringData: _stringData, ...secret } = object
  return plain(object.kind === 'Secret' ? secret : object)
}

function plain(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replace(/^(.*)-[a-z0-9]{10}$/, '$1')
  if (isJsonArray(value)) return value.map(plain)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner as JsonValue)]))
}
