import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { isInside } from '../config/read-text-file.ts'
import { type Invocation, UsageError } from './command.ts'

/**
 * Where what a flag names lies in the build context of an image, which is the working directory.
 *
 * @throws UsageError when it lies elsewhere: Docker copies nothing from there, and takes an absolute path for one of the context
 */
export function inBuildContext(flag: string, { given }: Pick<Invocation, 'given'>): string {
  const context = realpathSync('.')
  const path = realpathSync(given(flag))
  if (isInside(path, context)) return relative(context, path) || '.'
  const reason = `lies outside of the working directory ${context}, from where docker build copies`
  throw new UsageError(`--${flag}: ${path} ${reason}: run both in a folder that holds it`)
}
