import { basename, dirname, join, resolve } from 'node:path'
import type { Project, SampleFile } from '../../../engine/operator/project.ts'
import { UsageError } from '../command.ts'
import { pickRole } from '../pick-role.ts'

export interface SampleChoice {
  /** Defaults to the only role that there is. */
  readonly role?: string | undefined
  /** A file, its name, or the name of a resource in it. Defaults to the first file. */
  readonly sample?: string | undefined
  readonly rolesPath: string
}

/** A file of samples of a role. @throws UsageError */
export function pickSample(project: Project, { role, sample, rolesPath }: SampleChoice): SampleFile {
  const { name } = pickRole(project, role)
  const folder = join(rolesPath, name, 'samples')
  const samples = project.samples.filter(({ path }) => dirname(path) === folder)
  if (samples.length === 0) throw new UsageError(`the role "${name}" has no sample: write one into ${folder}`)
  const found = samples.find((file) => sample === undefined || isCalled(file, sample))
  if (found) return found
  const names = samples.map(({ path }) => basename(path)).join(', ')
  throw new UsageError(`the role "${name}" has no sample "${sample}": choose one of ${names}`)
}

function isCalled({ path, objects }: SampleFile, name: string): boolean {
  const isFile = resolve(path) === resolve(name) || [name, `${name}.yaml`].includes(basename(path))
  return isFile || objects.some(({ metadata }) => metadata.name === name)
}
