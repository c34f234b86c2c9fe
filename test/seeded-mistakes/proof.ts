import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { chooseMistakes } from './choose-mistakes.ts'
import { ProjectCopy } from './find-mistake.ts'
import { share, weaknessesOfManifests, weaknessesOfOwn } from './judge-proof.ts'
import { proveManifests } from './proof-of-manifests.ts'
import { type Mistake, mistakesIn } from './role-mistakes.ts'

/**
 * `npm run proof:mistakes [-- --count 20 --seed 1 --only NAME --per-class 12]`: makes mistakes in each role of the project and of the
 * examples, one at a time, and prints whether `rolebook check` or a test of the role finds them. Then it does the same in roles that are
 * made of charts and manifests of others, which have no tests (`--only manifests` for these alone). Exits 1 when `rolebook check` finds less
 * than 95 % of either, when a role without a mistake raises an alarm, or when there are too few roles or mistakes (`judge-proof.ts`).
 */
const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    'per-class': { type: 'string', default: '12' },
  },
})
const root = join(import.meta.dirname, '../..')
const total = { check: 0, test: 0, neither: 0 }

const examples = join(root, 'examples')
const projects = [root, ...(existsSync(examples) ? readdirSync(examples).map((name) => join(examples, name)) : [])]
for (const project of projects.filter((folder) => existsSync(join(folder, 'watches.yaml')))) await tryProject(project)
const made = total.check + total.test + total.neither
stdout.write(
  `${made} mistakes: ${total.check} found by check (${share(total.check, made)}), ${total.test} by a test, ${total.neither} by neither\n`,
)
const weaknesses = [...weaknessesOfOwn(total, values.only !== ''), ...(await weaknessesInManifests())]
for (const weakness of weaknesses) stdout.write(`NOT PROVEN: ${weakness}\n`)
exit(weaknesses.length === 0 ? 0 : 1)

async function weaknessesInManifests(): Promise<readonly string[]> {
  if (!'manifests'.includes(values.only)) return []
  const proof = await proveManifests(Number(values['per-class']), Number(values.seed))
  stdout.write(proof.text)
  stdout.write(
    `${proof.made} mistakes in manifests: ${proof.found} found by check: ${share(proof.found, proof.made)}\n`,
  )
  return weaknessesOfManifests(proof)
}

async function tryProject(folder: string): Promise<void> {
  const copy = new ProjectCopy(folder)
  try {
    for (const role of readdirSync(join(copy.folder, 'roles')).sort()) {
      if (existsSync(join(copy.folder, 'roles', role, 'role.yaml'))) await tryRole(copy, role, folder)
    }
  } finally {
    copy.remove()
  }
}

async function tryRole(copy: ProjectCopy, role: string, folder: string): Promise<void> {
  if (!`${folder}/${role}`.includes(values.only)) return
  const missed: Mistake[] = []
  const counts = { check: 0, test: 0, neither: 0 }
  for (const mistake of chooseMistakes(mistakesIn(copy.role(role)), Number(values.count), Number(values.seed))) {
    const finder = await copy.findMistake(role, mistake.text)
    counts[finder]++
    total[finder]++
    if (finder === 'neither') missed.push(mistake)
  }
  const { check, test, neither } = counts
  const all = check + test + neither
  stdout.write(`${role.padEnd(24)} ${all} mistakes: check ${check}, tests ${test}, missed ${neither}\n`)
  for (const { mistake, line, before, after } of missed)
    stdout.write(`    ${mistake}, line ${line}:\n      - ${before}\n      + ${after}\n`)
}
