import { copyFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { compiledSchemas } from './compiled-schemas.ts'

const root = join(import.meta.dirname, '..')
const playground = join(root, 'src/rolebook/playground')
const standIn = (name: string): string => join(playground, 'browser', `${name}.ts`)

/** What the page has in place of a package. */
const PACKAGES: Readonly<Record<string, string>> = {
  'node:async_hooks': standIn('node-async-hooks'),
  'node:buffer': standIn('node-buffer'),
  'node:crypto': standIn('node-crypto'),
  'node:fs': standIn('node-fs'),
  'node:fs/promises': standIn('node-fs-promises'),
  'node:path': join(root, 'node_modules/path-browserify/index.js'),
  'node:worker_threads': standIn('node-worker-threads'),
  'node:zlib': standIn('node-zlib'),
  undici: standIn('undici'),
}

/** What it has in place of files of ours. */
const FILES: Readonly<Record<string, string>> = {
  'src/sandbox/apiserver/http/http-server.ts': standIn('http-server'),
  'src/sandbox/cluster/load-builtin-schemas.ts': standIn('load-builtin-schemas'),
  'src/sandbox/cluster/data-folder/data-folder.ts': standIn('no-data-folder'),
  'src/sandbox/cluster/data-folder/server-identity.ts': standIn('no-data-folder'),
}

/** What is imported when it is needed, and in the page never is: certificates, kubeconfigs, webhooks over TLS. */
const ABSENT = ['./x509-library.ts', './kubeconfig-credentials.ts', 'node:https']

/** The stand-in for undici is made of it, so it gets no more than what it is made of itself. */
const BELOW_UNDICI = 'src/sandbox/apiserver/http/in-memory-dispatcher.ts'

/** The context of a run follows generators and `then`, as the stand-in for `node:async_hooks` says. */
export const LOWERED = { 'async-await': false, 'async-generator': false, 'for-await': false }

/** Bundles the page and its workers into a folder. */
export async function bundlePlayground(folder: string): Promise<readonly Metafile[]> {
  const common = settings(folder)
  const worker = await build({
    ...common,
    entryPoints: { worker: 'src/rolebook/playground/worker.ts' },
    supported: LOWERED,
    plugins: [standIns(PACKAGES), schemasOf(await compiledSchemas())],
  })
  const renderer = await build({
    ...common,
    entryPoints: { 'render-worker': 'src/rolebook/playground/render-worker.ts' },
    plugins: [standIns({ ...PACKAGES, 'node:worker_threads': standIn('render-worker-threads') })],
  })
  const page = await build({
    ...common,
    entryPoints: {
      page: 'src/rolebook/playground/page/page.tsx',
      styles: 'src/rolebook/playground/page/page.css',
    },
  })
  copyFileSync(join(playground, 'page/index.html'), join(folder, 'index.html'))
  return [worker.metafile, renderer.metafile, page.metafile]
}

function standIns(packages: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'stand-ins',
    setup(bundling) {
      bundling.onResolve({ filter: /^(?:node:|undici$)/ }, ({ path, importer }) => {
        if (ABSENT.includes(path)) return { path, namespace: 'absent' }
        if (importer.endsWith(BELOW_UNDICI)) return { path: standIn('undici-dispatcher') }
        const found = packages[path]
        return found === undefined
          ? { errors: [{ text: `${importer} needs ${path}: the page has none` }] }
          : { path: found }
      })
      bundling.onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
        if (ABSENT.includes(path)) return { path, namespace: 'absent' }
        const whole = join(resolveDir, path)
        const found = FILES[whole.slice(root.length + 1)]
        return found === undefined || resolveDir === dirname(found) ? undefined : { path: found }
      })
      const contents = 'throw new Error("the page has no certificates, kubeconfigs and webhooks")'
      bundling.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents, loader: 'js' }))
    },
  }
}

/** Schemas compiled beforehand: what compiles them makes functions of text, which a strict page forbids. */
function schemasOf(code: string): Plugin {
  return {
    name: 'compiled-schemas',
    setup(bundling) {
      bundling.onResolve({ filter: /^ajv\/dist\/2020\.js$/ }, () => ({ path: standIn('ajv') }))
      bundling.onResolve({ filter: /^compiled-schemas$/ }, ({ path }) => ({ path, namespace: 'compiled-schemas' }))
      bundling.onLoad({ filter: /.*/, namespace: 'compiled-schemas' }, () => ({
        contents: code,
        loader: 'js',
        resolveDir: root,
      }))
    },
  }
}

function settings(folder: string) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2024',
    mainFields: ['browser', 'module', 'main'],
    minify: true,
    keepNames: false,
    legalComments: 'eof',
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'globalThis.ROLEBOOK_VERSION': JSON.stringify(version) },
  } as const satisfies BuildOptions
}
