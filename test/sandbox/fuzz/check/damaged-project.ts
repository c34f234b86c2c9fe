import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuUsage } from 'node:process'
import { printDiagnostics } from '../../../../src/core/yaml/print-diagnostics.ts'
import { builtinTaskKinds } from '../../../../src/engine/tasks/builtin-task-kinds.ts'
import { loadProject } from '../../../../src/rolebook/config/load-project.ts'
import { loadTests } from '../../../../src/rolebook/role-test/load-tests.ts'
import { loadBuiltinSchemas } from '../../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { Random } from '../random.ts'
import { damageText } from './damage-text.ts'

const schemas = loadBuiltinSchemas()

/** What the checks made of a project with one damaged file. */
export interface CheckOutcome {
  readonly file: string
  readonly findings: number
  readonly milliseconds: number
}

/** A copy of a shipped role and its entry. It damages one of their files at a time. */
export class DamagedProject {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rolebook-damaged-'))
  readonly #files: readonly string[]

  constructor(role: string) {
    cpSync(join('roles', role), join(this.#folder, 'roles', role), { recursive: true })
    const entries = readFileSync('watches.yaml', 'utf8').split(/^(?=- )/m)
    const watches = entries.filter((entry) => new RegExp(`role: ${role}$`, 'm').test(entry))
    writeFileSync(join(this.#folder, 'watches.yaml'), watches.join(''))
    const paths = readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
    this.#files = paths.filter((path) => path.endsWith('.yaml')).sort()
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }

  /** Damages a file as the seed says, and checks the project with it. @throws what a check must never throw */
  async check(seed: number): Promise<CheckOutcome> {
    const random = new Random(seed)
    const file = random.pick(this.#files)
    const path = join(this.#folder, file)
    const whole = readFileSync(path)
    writeFileSync(path, damageText(random, whole.toString()))
    const before = cpuUsage()
    try {
      const findings = await this.#findings()
      const { user, system } = cpuUsage(before)
      return { file, findings, milliseconds: (user + system) / 1000 }
    } catch (error) {
      throw new Error(`the check of a damaged ${file} (seed ${seed}) ends with ${error}`, { cause: error })
    } finally {
      writeFileSync(path, whole)
    }
  }

  async #findings(): Promise<number> {
    const paths = { watchesFile: join(this.#folder, 'watches.yaml'), rolesPath: join(this.#folder, 'roles') }
    const known = { kinds: builtinTaskKinds, schemas: { builtin: schemas } }
    const { project, diagnostics } = await loadProject({ ...paths, ...known, environment: {} })
    const tests = project && (await loadTests({ project, rolesPath: paths.rolesPath, schemas }))
    const all = [...diagnostics, ...(tests?.diagnostics ?? [])]
    printDiagnostics(all, { color: true })
    return all.length
  }
}
