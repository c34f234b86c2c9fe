import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { expect } from 'chai'
import type { InstalledPackage } from './installed-package.ts'

const CONSUMER = `
import { ANY, defineFunction, defineTaskKind, loadProject, Operator, type Project } from 'rolebook'
import { Sandbox } from 'rolebook/sandbox'
import { defineRoleTests } from 'rolebook/testing'

const sandbox: Sandbox = await Sandbox.start({ clock: 'manual' })
const project: Project = await loadProject({ folder: '.' })
const operator = new Operator({ project, sandbox })
const idle: Promise<void> = operator.idle()
const kind = defineTaskKind({
  name: 'say', doc: '', example: '', schema: {}, modifiers: [],
  compile: (_body, context) => context.template(['text']),
  check: () => ANY,
  run: async (text, { scope }) => ({ kind: 'unchanged', value: text.render(scope) ?? null }),
  permissions: () => [],
})
const shout = defineFunction({ name: 'shout', signature: '<s:s>', doc: '', example: '', run: ([text]) => String(text) })
const own = { taskKinds: [kind], functions: [shout] }
await defineRoleTests({ folder: '.', describe: (_name, define) => define(), it: () => undefined, ...own })
// @ts-expect-error: it is a number
await Sandbox.start({ port: 'any' })
await idle
`

/** Tests that a program in TypeScript can import what is installed. */
export function hasTypes(the: { readonly package: InstalledPackage }): void {
  for (const resolution of [
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]) {
    it(`has types for moduleResolution ${resolution.moduleResolution}`, () => {
      const folder = the.package.emptyFolder(resolution.moduleResolution)
      const rest = {
        strict: true,
        noEmit: true,
        target: 'es2024',
        lib: ['es2024', 'esnext.disposable'],
        types: ['node'],
      }
      const compilerOptions = { ...resolution, ...rest, typeRoots: [resolve('node_modules/@types')] }
      writeFileSync(join(folder, 'consumer.mts'), CONSUMER)
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.mts'] }))
      const tsc = resolve('node_modules/typescript/bin/tsc')
      expect(spawnSync(execPath, [tsc], { cwd: folder, encoding: 'utf8' }).stdout).to.equal('')
    })
  }
}
