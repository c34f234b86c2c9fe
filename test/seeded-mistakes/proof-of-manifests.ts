import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { type CorrectRole, correctRoles } from './correct-roles.ts'
import { findingsIn } from './find-in-role.ts'
import type { ManifestCounts } from './judge-proof.ts'
import { REAL_FINDINGS } from './real-findings.ts'
import { type ClassResult, seedMistakes, tryMistakes } from './seed-roles.ts'

export interface ProofOfManifests extends ManifestCounts {
  /** What is printed. */
  readonly text: string
}

/** Makes mistakes in roles that are made of charts and manifests of others, and counts those that `check` finds, and false alarms. */
export async function proveManifests(perClass: number, seed: number): Promise<ProofOfManifests> {
  const { roles, lost } = await correctRoles()
  const judged = await Promise.all(roles.map(async (role) => ({ role, findings: await findingsIn(role) })))
  const alarms = judged.flatMap(({ role, findings }) =>
    findings.filter((one) => !isReal(role, one)).map((one) => ({ role, one })),
  )
  const silent = judged.filter(({ findings }) => findings.length === 0).map(({ role }) => role)
  const results = await tryMistakes(seedMistakes(silent, perClass, seed))
  const made = results.reduce((sum, one) => sum + one.made, 0)
  const missed = results.reduce((sum, one) => sum + one.missed.length, 0)
  const lines = [
    `${roles.length} roles made of charts and manifests: ${silent.length} without a word, ${alarms.length} false alarms`,
    ...alarms.map(({ role, one }) => `    ${role.name}: ${one.code} ${one.message}`),
    ...lost.map((chart) => `    cannot render ${chart}`),
    ...results.flatMap(printClass),
  ]
  const counts = {
    made,
    found: made - missed,
    roles: roles.length,
    falseAlarms: alarms.length,
    lostCharts: lost.length,
  }
  return { text: `${lines.join('\n')}\n`, ...counts }
}

function isReal(role: CorrectRole, { message }: Diagnostic): boolean {
  return REAL_FINDINGS.some((real) => real.role.test(role.name) && real.message.test(message))
}

function printClass({ name, made, missed }: ClassResult): readonly string[] {
  const head = `${name.padEnd(52)} ${String(made - missed.length).padStart(3)} of ${made}`
  return [head, ...missed.map(({ role, mistake }) => `      missed: ${role.name}: ${mistake.what}`)]
}
