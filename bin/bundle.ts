import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** Bundles the program and the pages that it serves into a folder. Returns what went into them, from where. */
export async function bundle(folder: string, { write = true } = {}): Promise<Pick<Metafile, 'outputs'>> {
  const [program, pages] = await Promise.all([bundleProgram(folder, write), bundlePages(folder, write)])
  return { outputs: { ...program.outputs, ...pages.outputs } }
}

/**
 * Bundles the program, its threads, and what programs import, with all their dependencies, into a folder. They share their code, and a command
 * loads no more than its own: memory holds the text of each file that was loaded.
 */
async function bundleProgram(folder: string, write: boolean): Promise<Metafile> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { metafile } = await build({
    ...settings(folder, write),
    entryPoints: {
      rolebook: 'src/rolebook/cli/main.ts',
      // A thread needs a file of its own.
      'render-worker': 'src/engine/chart/render-worker.ts',
      'library-operator': 'src/rolebook/library/operator.ts',
      'library-sandbox': 'src/rolebook/library/sandbox.ts',
      'library-testing': 'src/rolebook/library/testing.ts',
    },
    splitting: true,
    chunkNames: 'shared-[hash]',
    // By the second, undici leaves out a parser that is an experiment, as Node's own build of it does.
    define: { 'globalThis.ROLEBOOK_VERSION': JSON.stringify(version), esbuildDetection: 'true' },
  })
  return metafile
}

/** Each page is a folder of files beside the program. */
async function bundlePages(folder: string, write: boolean): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir: join(folder, 'dashboard'),
    write,
    entryPoints: { page: 'src/rolebook/dashboard/page/page.tsx', styles: 'src/rolebook/ui/ui.css' },
    bundle: true,
    platform: 'browser',
    // Colours come as pairs for light and dark.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: false,
    legalComments: 'eof',
    metafile: true,
  })
  const html = join(root, 'src/rolebook/dashboard/page/index.html')
  if (write) copyFileSync(html, join(folder, 'dashboard/index.html'))
  return metafile
}

/** Bundles only the used half of undici, because all of it takes 5 MB of memory. */
const undiciDispatchers: Plugin = {
  name: 'undici-dispatchers',
  setup(bundling) {
    bundling.onResolve({ filter: /^undici$/ }, () => ({ path: join(root, 'bin/undici-dispatchers.cjs') }))
  },
}

/** Bundles only the used sixth of the library, because all of it takes 8 MB of memory. */
const kubeconfigLibrary: Plugin = {
  name: 'kubeconfig-library',
  setup(bundling) {
    bundling.onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({
      path: join(root, 'bin/kubeconfig-library.mjs'),
    }))
    const leftOut = /^(?:\.\/(?:gen\/index|serializer|util)\.js|socks|socks-proxy-agent)$/
    bundling.onResolve({ filter: leftOut }, ({ importer }) => {
      return importer.includes('@kubernetes/client-node')
        ? { path: join(root, 'bin/kubeconfig-stand-ins.mjs') }
        : undefined
    })
  },
}

function settings(folder: string, write: boolean) {
  return {
    absWorkingDir: root,
    outdir: folder,
    write,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    // Prefers ES modules where a library has both forms, because esbuild leaves out their unused parts.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    inject: [join(root, 'bin/older-node.mjs')],
    format: 'esm',
    minify: true,
    keepNames: true,
    sourcemap: false,
    // THIRD-PARTY-LICENSES.txt has them, of all packages.
    legalComments: 'none',
    metafile: true,
    plugins: [undiciDispatchers, kubeconfigLibrary],
    // CommonJS dependencies call `require` for Node's own modules.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
  } as const satisfies BuildOptions
}
