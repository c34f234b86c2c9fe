import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseYaml } from '../../src/core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../src/core/yaml/parsed-yaml.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import type { Project } from '../../src/engine/operator/project.ts'
import { builtinTaskKinds } from '../../src/engine/tasks/builtin-task-kinds.ts'
import type { ProjectResult } from '../../src/rolebook/config/load-project.ts'
import { loadTests } from '../../src/rolebook/role-test/load-tests.ts'
import { runTest } from '../../src/rolebook/role-test/run-test.ts'
import { checkProject } from '../../src/rolebook/trial/check-project.ts'
import { loadBuiltinSchemas } from '../../src/sandbox/cluster/load-builtin-schemas.ts'

const schemas = loadBuiltinSchemas()

/** A folder with `watches.yaml` and `roles/`. */
export class ProjectCopy {
  readonly folder: string

  constructor(original: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'rolebook-mistakes-'))
    for (const part of ['watches.yaml', 'roles'])
      cpSync(join(original, part), join(this.folder, part), { recursive: true })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  role(role: string): ParsedYaml {
    const path = this.#pathOf(role)
    const { documents } = parseYaml(new SourceFile(path, readFileSync(path, 'utf8')))
    return documents[0] as ParsedYaml
  }

  /** What finds the mistake when the file of a role holds `text`: the checks, else a test of the role, else neither. */
  async findMistake(role: string, text: string): Promise<'check' | 'test' | 'neither'> {
    const path = this.#pathOf(role)
    const right = readFileSync(path, 'utf8')
    writeFileSync(path, text)
    try {
      const { project, diagnostics } = await this.#load()
      if (!project || diagnostics.some(({ severity }) => severity !== 'note')) return 'check'
      return (await this.#passes(project, role)) ? 'neither' : 'test'
    } finally {
      writeFileSync(path, right)
    }
  }

  #pathOf(role: string): string {
    return join(this.folder, 'roles', role, 'role.yaml')
  }

  #load(): Promise<ProjectResult> {
    const paths = { watchesFile: join(this.folder, 'watches.yaml'), rolesPath: join(this.folder, 'roles') }
    return checkProject({ ...paths, environment: {}, kinds: builtinTaskKinds, schemas: { builtin: schemas } })
  }

  async #passes(project: Project, role: string): Promise<boolean> {
    const { tests } = await loadTests({ project, rolesPath: join(this.folder, 'roles'), schemas })
    for (const test of tests) {
      if (test.role !== role) continue
      const { failures } = await runTest(test, { project, schemas })
      if (failures.length > 0) return false
    }
    return true
  }
}
