/** Loaded before anything of `src`: puts the defect that the environment names into its file while that is loaded. */
import { registerHooks } from 'node:module'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { DEFECTS } from '../defects/defects.ts'
import { fileOf, mutatedSource } from './apply-mutant.ts'
import { MUTANTS } from './mutants.ts'

const mutant = [...MUTANTS, ...DEFECTS].find(({ name }) => name === env.MUTANT)
if (mutant) {
  const url = pathToFileURL(fileOf(mutant)).href
  registerHooks({
    load: (loaded, context, next) =>
      loaded === url
        ? { format: 'module-typescript', source: mutatedSource(mutant), shortCircuit: true }
        : next(loaded, context),
  })
}
