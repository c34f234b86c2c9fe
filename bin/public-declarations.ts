import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')

/** The entrances, in the order of the report. */
const ENTRANCES = ['operator', 'sandbox', 'testing'].map((name) => `rolebook/library/${name}.d.ts`)

/** Declarations of what programs import: the entrances, and all that they name. By path below `src`. */
export async function publicDeclarations(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'rolebook-types-'))
  try {
    await compile(folder)
    return reachable(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The public surface as one text, without comments: a change of it is a change for users. */
export function printPublicSurface(declarations: ReadonlyMap<string, string>): string {
  return [...declarations].map(([path, text]) => `// ${path}\n${withoutComments(text)}`).join('\n')
}

async function compile(folder: string): Promise<void> {
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true },
      ...{ allowImportingTsExtensions: false, rootDir: join(root, 'src'), outDir: join(folder, 'types') },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    },
    include: [],
    files: ENTRANCES.map((path) => join(root, 'src', path.replace(/\.d\.ts$/, '.ts'))),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await promisify(execFile)(execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
}

function reachable(folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const visit = (path: string): void => {
    if (texts.has(path)) return
    const text = readFileSync(join(folder, 'types', path), 'utf8').replace(RELATIVE, '$1.js$2')
    texts.set(path, text)
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      visit(posix.normalize(posix.join(posix.dirname(path), name.replace(/\.js$/, '.d.ts'))))
    }
  }
  for (const path of ENTRANCES) visit(path)
  return texts
}

/** What stands in the package has no `.ts` beside it: `.js` finds the declarations. */
const RELATIVE = /((?:\bfrom |\bimport\()['"]\.[^'"]*)\.ts(['"])/g
const IMPORT = /(?:\bfrom |\bimport\()['"](\.[^'"]*)['"]/g

function withoutComments(text: string): string {
  return text.replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n|^[ \t]*\/\/.*\n/gm, '')
}
